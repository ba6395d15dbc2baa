import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT } from '../project.js';
import { checkImage } from './check-images.ts';
import { compose, untilHealthy } from './compose-commands.ts';
import { Walkthrough } from './walkthrough.ts';

const SERVICES = ['postgres', 'kafka', 's3', 'authorization', 'credentials', 'executor', 'stream', 'gateway'];
const IMAGES = ['authorization', 'credentials', 'executor', 'gateway', 'migrations', 'samples', 'stream'];

let passed = 0;
try {
  if (!existsSync(join(PROJECT, '.env'))) throw new Error('There is no .env: npm run compose:env');
  await compose('up', '--detach');
  for (const image of IMAGES)
    await step(`${image} is small, runs as nobody and holds what it needs alone`, () => checkImage(`svc/${image}:local`));
  await untilHealthy(SERVICES);
  const walkthrough = new Walkthrough(
    (await compose('exec', '-T', 'authorization', 'node', 'dist/print-token.js', '--scope', 'svc:admin')).trim(),
  );
  await step('a file is queried', () => walkthrough.queryFile());
  await step('a bucket is registered, and an object of it queried', () => walkthrough.registerBucket());
  await step('the messages of a topic become the rows of a table', () => walkthrough.createStream());
  await step('a function is an endpoint that needs a key', () => walkthrough.publishFunction());
  for (const service of SERVICES) {
    await compose('restart', service);
    await untilHealthy(SERVICES);
    await step(`all of it works after a restart of ${service}`, () => walkthrough.repeat());
  }
  console.log(`${passed} passed, 0 failed`);
} catch (error) {
  console.error(error);
  console.log(`${passed} passed, 1 failed`);
  process.exitCode = 1;
}

async function step(name: string, run: () => Promise<void>): Promise<void> {
  await run();
  passed += 1;
  console.log(`ok ${name}`);
}
