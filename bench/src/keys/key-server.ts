/** A bare Express server that checks API keys: `ours` like the gateway, `floor` by a SHA-256 and a Map. Prints its port. */
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import express, { type Request } from 'express';

import { ApiKeyStore, openDatabase } from '@svc/database';
import { KeyCheck, readApiKeyHeader, watchChanges } from '@svc/gateway';
import { createLogger } from '@svc/service-kit';

const [kind = '', databaseUrl = ''] = process.argv.slice(2);
const database = openDatabase({ url: databaseUrl, applicationName: 'bench' });
const isValid = kind === 'ours' ? openCheck() : await loadMap();

const app = express();
app.get('/', async (req, res) => {
  res.status((await isValid(req)) ? 200 : 401).end('ok');
});
const server = app.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port)); // a listening TCP server has this kind of address

function openCheck(): (req: Request) => Promise<boolean> {
  const logger = createLogger({ service: 'bench', level: 'error' });
  const keys = new ApiKeyStore(database);
  const check = new KeyCheck({ keys, now: () => new Date(), isFresh: () => watch.isFresh() });
  const watch = watchChanges({ database, databaseUrl, onChange: (_, id) => check.forget(id), logger });
  return async (req) => (await check.find(readApiKeyHeader(req) ?? '')) !== null;
}

async function loadMap(): Promise<(req: Request) => Promise<boolean>> {
  const rows = await database.db.selectFrom('api_key_hashes').select(['hash', 'key_id']).execute();
  const known = new Map(rows.map(({ hash, key_id: id }) => [hash.toString('base64'), id]));
  return async (req) => known.has(createHash('sha256').update(String(req.headers['x-svc-api-key'])).digest('base64'));
}
