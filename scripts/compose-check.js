// npm run compose:check: plain JavaScript, since a machine's own Node runs it the first time.
import { runPinned } from './lib/run-pinned.js';

await runPinned('scripts/lib/compose-check/check-compose.ts');
