import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import { CredentialEventStore, CredentialStore, migrate, openDatabase, type Database } from '@svc/database';
import { createCredentialReader, createVault, Credentials } from '@svc/vault';
import pg from 'pg';

/** Times of lookups in milliseconds, measured from the scheduled start. */
export interface LookUpTimes {
  readonly name: string;
  /** True for reading the row alone, without decryption. */
  readonly isFloor: boolean;
  readonly p50: number;
  readonly p99: number;
}

/** Load of the measurement. */
export interface LookUpOptions {
  readonly databaseUrl: string;
  readonly perSecond: number;
  readonly seconds: number;
}

const SUBJECTS = 100;
const PER_SUBJECT = 50;

/**
 * Measures lookups with decryption among 10,000 credentials at a fixed rate, and as floor the row alone, read by its key
 * with the same driver. Delays caused by earlier lookups count.
 */
export async function measureLookUps({ databaseUrl, perSecond, seconds }: LookUpOptions): Promise<readonly LookUpTimes[]> {
  await migrate(databaseUrl);
  const database = openDatabase({ url: databaseUrl, applicationName: 'bench' });
  const floor = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const vault = createVault({ masterKey: randomBytes(32) });
  const reader = createCredentialReader({
    store: new CredentialStore(database),
    events: new CredentialEventStore(database),
    vault,
    onFailure: (error) => console.error(error),
  });
  const rate = { perSecond, seconds };
  try {
    await registerAll(database, vault);
    const bucket = async (n: number): Promise<unknown> => reader.bucket(subjectOf(n), bucketOf(n));
    const prefix = async (n: number): Promise<unknown> => reader.httpCredential(subjectOf(n), new URL(`${prefixOf(n)}/users/${n}?page=2`));
    const row = async (n: number): Promise<unknown> =>
      floor.query({
        name: 'row',
        text: 'SELECT sealed FROM credentials WHERE subject = $1 AND kind = $2 AND name = $3',
        values: [subjectOf(n), 'objbucket', bucketOf(n)],
      });
    const looks = [
      { name: 'a bucket, by its name', isFloor: false, look: bucket },
      { name: 'HTTP credentials, by the longest prefix', isFloor: false, look: prefix },
      { name: 'floor: the row of a bucket, not decrypted', isFloor: true, look: row },
    ];
    const measured: LookUpTimes[] = [];
    for (const { name, isFloor, look } of looks) {
      await atRate(look, { perSecond, seconds: 2 }); // connections and code are warm
      measured.push({ name, isFloor, ...percentiles(await atRate(look, rate)) });
    }
    return measured;
  } finally {
    await reader.close();
    await database.close();
    await floor.end();
  }
}

const subjectOf = (n: number): string => `subject-${n % SUBJECTS}`;
const bucketOf = (n: number): string => `bucket-${Math.floor(n / SUBJECTS) % PER_SUBJECT}`;
const prefixOf = (n: number): string => `https://api-${Math.floor(n / SUBJECTS) % PER_SUBJECT}.example.com/v1`;

async function registerAll(database: Database, vault: ReturnType<typeof createVault>): Promise<void> {
  const credentials = new Credentials({ store: new CredentialStore(database), events: new CredentialEventStore(database), vault });
  for (let n = 0; n < SUBJECTS * PER_SUBJECT; n += 1) {
    const subject = subjectOf(n);
    const keys = { accessKey: randomBytes(10).toString('hex'), secretKey: randomBytes(30).toString('base64') };
    await Promise.all([
      credentials.register({ subject, kind: 'objbucket', name: bucketOf(n) }, { region: 'eu-west-1', keys }),
      credentials.register(
        { subject, kind: 'http-credential', name: prefixOf(n) },
        { type: 'basic-auth', user: 'u', password: keys.secretKey },
      ),
    ]);
  }
}

async function atRate(
  look: (n: number) => Promise<unknown>,
  { perSecond, seconds }: Pick<LookUpOptions, 'perSecond' | 'seconds'>,
): Promise<readonly number[]> {
  const began = performance.now();
  const times: Promise<number>[] = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const due = began + (n * 1000) / perSecond;
    await until(due);
    times.push(look(n).then(() => performance.now() - Math.max(due, began)));
  }
  return Promise.all(times);
}

/** Waits until a time. Node's timers are late by up to a millisecond, so the rest is spent in turns of the event loop. */
async function until(due: number): Promise<void> {
  const early = due - performance.now() - TIMER_LATENESS_MS;
  if (early > 0) await delay(early);
  while (performance.now() < due) await nextTurn();
}

const TIMER_LATENESS_MS = 2;

function percentiles(times: readonly number[]): Pick<LookUpTimes, 'p50' | 'p99'> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
