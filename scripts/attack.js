// npm run attack: plain JavaScript, since a machine's own Node runs it the first time.
import { runPinned } from './lib/run-pinned.js';

await runPinned('e2e/src/attack/attack-command.ts');
