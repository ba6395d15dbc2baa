import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BucketAlreadyExists, BucketAlreadyOwnedByYou, CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

import { createLogger, readEnv, secret, SettingsError, textSetting, urlSetting, withDefault, type SettingValues } from '@svc/service-kit';

const SAMPLE_SETTINGS = {
  endpoint: urlSetting('SVC_S3_ENDPOINT'),
  accessKey: textSetting('SVC_SAMPLES_ACCESS_KEY', 'a user of the object store'),
  secretKey: secret(textSetting('SVC_SAMPLES_SECRET_KEY', 'the secret of that user')),
  directory: textSetting('SVC_SAMPLES_DIR', 'a folder'),
  bucket: withDefault(textSetting('SVC_SAMPLES_BUCKET', 'the name of a bucket'), 'sample'),
} as const;

/** An object store that has just started refuses connections; the client waits longer before each attempt. */
const MAX_ATTEMPTS = 8;

process.exitCode = await run();

/** Fills the bucket. Returns the exit code. */
async function run(): Promise<number> {
  try {
    const { settings } = readEnv(process.env, SAMPLE_SETTINGS);
    await fillBucket(settings);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof SettingsError ? error.message : `The bucket cannot be filled: ${String(error)}`}\n`);
    return 1;
  }
}

async function fillBucket({ endpoint, accessKey, secretKey, directory, bucket }: SettingValues<typeof SAMPLE_SETTINGS>): Promise<void> {
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
  const client = new S3Client({
    endpoint: endpoint.href,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    maxAttempts: MAX_ATTEMPTS,
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
    if (!(error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists)) throw error;
  });
  const files = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { name } of files)
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: name, Body: await readFile(join(directory, name)) }));
  client.destroy();
  createLogger({ service: 'samples', level: 'info' }).info({ bucket, objects: files.length }, 'the bucket holds the samples');
}
