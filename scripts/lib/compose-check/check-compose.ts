import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT } from '../project.js';
import { compose, untilHealthy } from './compose-commands.ts';
import { Walkthrough } from './walkthrough.ts';

const SERVICES = ['postgres', 'kafka', 's3', 'authorization', 'credentials', 'executor', 'stream', 'gateway'];

let passed = 0;
try {
  if (!existsSync(join(PROJECT, '.env'))) throw new Error('There is no .env: npm run compose:env');
  compose('up', '--detach');
  await untilHealthy(SERVICES);
  const walkthrough = new Walkthrough(compose('exec', '-T', 'authorization', 'node', 'dist/print-token.js', '--scope', 'svc:admin').trim());
  await step('a file is queried', () => walkthrough.queryFile());
  await step('a bucket is registered, and an object of it queried', () => walkthrough.registerBucket());
  await step('the messages of a topic become the rows of a table', () => walkthrough.createStream());
  await step('a function is an endpoint that needs a key', () => walkthrough.publishFunction());
  for (const service of SERVICES) {
    compose('restart', service);
    await untilHealthy(SERVICES);
    await step(`all of it works after a restart of ${service}`, () => walkthrough.repeat());
  }
  console.log(`${passed} passed, 0 failed`);
} catch (error) {
  console.error((error as Error).message);
  console.log(`${passed} passed, 1 failed`);
  process.exitCode = 1;
}

async function step(name: string, run: () => Promise<void>): Promise<void> {
  await run();
  passed += 1;
  console.log(`ok ${name}`);
}
