// Runs the examples of a page of documentation against a running stack (npm start), one after the other, and prints what is
// answered: node examples/transcript.js [docs/views-and-packages.md]. Start it for a caller who has stored nothing yet, such as
// TOKEN=$(npm run -s token -- --sub somebody). EXECUTOR names the address of another stack. Needs bash and curl.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const page = process.argv[2] ?? 'docs/views-and-packages.md';
const [prelude = '', ...commands] = [...readFileSync(page, 'utf8').matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, code]) => code ?? '');
for (const command of commands) {
  const { stdout, stderr } = spawnSync('bash', ['-c', `${prelude}\n${command}`], { encoding: 'utf8' });
  process.stdout.write(`${command.replaceAll(/^/gm, '  ').replace(/^ /, '$')}\n${stdout}${stderr}\n`);
}
