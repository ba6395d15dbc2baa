/**
 * A minimal service for the tests of the local stack: it answers on its admin port, returns its environment on its public
 * one, and stops on a signal. It fails to start if SVC_SAMPLE_REFUSES is set.
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
