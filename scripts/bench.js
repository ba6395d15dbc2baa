// npm run bench -- NAME: plain JavaScript, since a machine's own Node runs it the first time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
const isHelp = process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h');
if (BENCHMARKS.includes(name) && !isHelp) await runPinned(`bench/src/${name}.ts`);
else if (isHelp) process.stdout.write((BENCHMARKS.includes(name) ? [name] : BENCHMARKS).map(usageOf).join(''));
else {
  process.stderr.write(`Usage: npm run bench -- NAME, with NAME one of ${BENCHMARKS.join(', ')}. --help tells what each measures.\n`);
  process.exitCode = 1;
}

/**
 * Returns the comment at the beginning of a benchmark, which is its usage.
 * @param {string} benchmark
 */
function usageOf(benchmark) {
  const source = readFileSync(join(import.meta.dirname, '..', 'bench', 'src', `${benchmark}.ts`), 'utf8');
  const lines = source.slice(0, source.indexOf('*/')).split('\n');
  const text = lines.map((line) => line.replace(/^\s*\/?\*+ ?/, '').trim()).join(' ');
  return `${text.replaceAll('`', '').trim()}\n`;
}
