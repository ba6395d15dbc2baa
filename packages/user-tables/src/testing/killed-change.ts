/** A program for tests: changes a table, and kills its own process before a statement. Arguments: database, folder, change, name, id, statement. */
import { openDatabase } from '@svc/database';

import { changeTable, STOPPED, stopBefore, type Change } from './change-table.ts';

const [url = '', directory = '', change = '', name = '', id = '', number = ''] = process.argv.slice(2);
stopBefore(Number(number), () => process.kill(process.pid, 'SIGKILL'));
// The parent passes one.
await changeTable({ database: openDatabase({ url, applicationName: STOPPED }), directory }, change as Change, { id: Number(id), name });
process.exit(0);
