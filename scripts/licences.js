// npm run licences: plain JavaScript, since a machine's own Node runs it the first time.
import { runPinned } from './lib/run-pinned.js';

await runPinned('scripts/lib/release/check-licences.ts');
