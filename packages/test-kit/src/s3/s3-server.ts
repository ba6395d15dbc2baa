import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findVersitygw } from './versitygw-binary.ts';

/** An S3 server that checks signatures, and the account that may do everything there. */
export interface S3Access {
  /** Path style. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

const START_TIMEOUT_MS = 30_000;
const REGION = 'us-east-1';

/** Starts an S3 server on an empty folder. Its stop function is pushed to `stops`. */
export async function startS3Server(stops: (() => Promise<void>)[]): Promise<S3Access> {
  const { dieWithParent, freePort, waitUntil } = await import('@svc/local-stack');
  const program = await findVersitygw();
  const folder = await mkdtemp(join(tmpdir(), 'svc-s3-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const [data, sidecar] = [join(folder, 'data'), join(folder, 'metadata')];
  await Promise.all([mkdir(data), mkdir(sidecar)]);
  const [accessKey, secretKey] = [randomBytes(10).toString('hex'), randomBytes(24).toString('base64url')];
  const port = await freePort();
  // In the environment: arguments of a process are visible to every user of the machine. Metadata lies beside the data,
  // since not every file system has extended attributes.
  const serve = [
    program,
    '--quiet',
    '--keep-alive',
    '--port',
    `127.0.0.1:${port}`,
    '--region',
    REGION,
    'posix',
    '--sidecar',
    sidecar,
    data,
  ];
  const [command = program, ...args] = [...dieWithParent('KILL'), ...serve];
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  stops.push(async () => {
    child.kill('SIGKILL'); // nobody will miss what it holds
    await ended;
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await waitUntil(
    async () => {
      if (child.exitCode !== null) throw new Error(`The S3 server ended with code ${child.exitCode}.`);
      return fetch(endpoint).then(
        () => true,
        () => undefined,
      );
    },
    { timeoutMs: START_TIMEOUT_MS, what: 'the S3 server to start' },
  );
  return { endpoint, region: REGION, accessKey, secretKey };
}

/** Returns the S3 server named by the environment; undefined if there is none. */
export function givenS3Server(env: Readonly<Record<string, string | undefined>>): S3Access | undefined {
  const endpoint = env['SVC_TEST_S3_ENDPOINT'];
  if (endpoint === undefined || endpoint === '') return undefined;
  const [accessKey, secretKey] = [env['SVC_TEST_S3_ACCESS_KEY'], env['SVC_TEST_S3_SECRET_KEY']];
  if (accessKey === undefined || secretKey === undefined)
    throw new Error('SVC_TEST_S3_ENDPOINT needs SVC_TEST_S3_ACCESS_KEY and SVC_TEST_S3_SECRET_KEY beside it.');
  return { endpoint, region: env['SVC_TEST_S3_REGION'] ?? REGION, accessKey, secretKey };
}
