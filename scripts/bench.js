// npm run bench -- NAME: plain JavaScript, since a machine's own Node runs it the first time.
import { runPinned } from './lib/run-pinned.js';

const BENCHMARKS = [
  'compile',
  'connectors',
  'credentials',
  'keys',
  'language',
  'load',
  'pushdown',
  'query',
  'results',
  'stalls',
  'stream',
  'tables',
];
const [name = ''] = process.argv.slice(2);
if (BENCHMARKS.includes(name)) await runPinned(`bench/src/${name}.ts`);
else {
  process.stderr.write(`Usage: npm run bench -- NAME, with NAME one of ${BENCHMARKS.join(', ')}.\n`);
  process.exitCode = 1;
}
