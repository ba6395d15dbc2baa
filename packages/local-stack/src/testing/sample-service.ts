/**
 * A service for the tests of the local stack, as small as one can be: it answers on its admin port, shows its
 * environment on its public one, and ends when told to. It refuses to start when SVC_SAMPLE_REFUSES says so.
 */
import { createServer } from 'node:http';

const refusal = process.env['SVC_SAMPLE_REFUSES'];
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}
const host = process.env['SVC_HOST'];
createServer((_, res) => void res.end('ok')).listen(Number(process.env['SVC_SAMPLE_ADMIN_PORT']), host);
createServer((_, res) => void res.end(JSON.stringify({ ...process.env, pid: process.pid }))).listen(
  Number(process.env['SVC_SAMPLE_PORT']),
  host,
);
process.on('SIGTERM', () => process.exit(0));
