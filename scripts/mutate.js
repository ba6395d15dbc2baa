// npm run mutate -- --sample 200 --seed 1: plain JavaScript, since a machine's own Node runs it the first time.
import { runPinned } from './lib/run-pinned.js';

await runPinned('scripts/lib/testing/run-mutants.ts');
