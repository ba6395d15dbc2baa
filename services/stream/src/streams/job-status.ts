import type { StoredOffset, StoredStream, StreamJob, StreamWorker } from '@svc/database';

/** A job as shown to the user. */
export interface JobStatus {
  readonly name: StreamJob;
  readonly state: 'preparing' | 'running' | 'failed';
  readonly detail: string;
}

/** The stored state of a stream, and the reports of its processes. */
export interface StreamFacts {
  readonly stream: StoredStream;
  readonly offsets: readonly StoredOffset[];
  readonly workers: readonly StreamWorker[];
}

/** Maximum number of lagging partitions that are listed. */
const MOST_NAMED = 20;

/** The jobs of a stream, `data` first. */
export function jobStatuses(facts: StreamFacts): readonly JobStatus[] {
  const { stream } = facts;
  const jobs: JobStatus[] = [dataStatus(facts)];
  if (isJobOf(stream, 'index')) jobs.push({ name: 'index', ...indexStatus(stream) });
  if (isJobOf(stream, 'retention')) jobs.push({ name: 'retention', ...retentionStatus(stream) });
  return jobs;
}

/** Returns whether a stream has a job of this name. */
export function isJobOf({ indexState, settings }: StoredStream, name: string): name is StreamJob {
  return name === 'data' || (name === 'index' && indexState !== 'none') || (name === 'retention' && settings.retention !== null);
}

function dataStatus(facts: StreamFacts): JobStatus {
  const { stream, workers } = facts;
  const name = 'data';
  if (stream.state === 'failed') return { name, state: 'failed', detail: stream.reason ?? '' };
  if (stream.state === 'paused') return { name, state: 'preparing', detail: `paused, ${counts(facts)}` };
  if (workers.some(({ isReading }) => isReading)) return { name, state: 'running', detail: `${counts(facts)}, ${lag(workers)}` };
  const [waiting] = workers.filter(({ waitsFor }) => waitsFor !== '');
  return { name, state: 'preparing', detail: `waits for ${waiting?.waitsFor ?? 'a process of the stream service'}` };
}

function counts({ stream, offsets }: StreamFacts): string {
  const sum = (part: (offset: StoredOffset) => number): number => offsets.reduce((total, offset) => total + part(offset), 0);
  const rows = sum(({ rowCount }) => rowCount) - stream.rowsBefore;
  const dead = Math.max(0, sum(({ deadCount }) => deadCount) - stream.deadBefore);
  const lost = sum(({ lostCount }) => lostCount);
  return `${rows} rows stored, ${dead} dead letters${lost > 0 ? `, ${lost} dropped by the topic before they were read` : ''}`;
}

/** `lag 12 (0: 5, 3: 7)`: of each partition that lags. */
function lag(workers: readonly StreamWorker[]): string {
  const lags = workers.flatMap(({ lags: own }) => Object.entries(own)).filter(([, messages]) => messages > 0);
  const total = lags.reduce((sum, [, messages]) => sum + messages, 0);
  if (total === 0) return 'lag 0';
  const named = lags.toSorted(([a], [b]) => Number(a) - Number(b)).slice(0, MOST_NAMED);
  return `lag ${total} (${named.map(([partition, messages]) => `${partition}: ${messages}`).join(', ')}${lags.length > MOST_NAMED ? ', …' : ''})`;
}

function indexStatus({ state, reason, indexState, indexDetail }: StoredStream): Omit<JobStatus, 'name'> {
  if (state === 'failed') return { state: 'failed', detail: reason ?? '' };
  if (indexState === 'failed') return { state: 'failed', detail: indexDetail };
  return indexState === 'running'
    ? { state: 'running', detail: indexDetail }
    : { state: 'preparing', detail: 'waits for the indexes to be made' };
}

function retentionStatus({ state, reason, retentionDeleted, retentionDetail }: StoredStream): Omit<JobStatus, 'name'> {
  if (state === 'failed') return { state: 'failed', detail: reason ?? '' };
  if (state === 'paused') return { state: 'preparing', detail: `paused, ${retentionDeleted} rows deleted` };
  return retentionDetail === ''
    ? { state: 'preparing', detail: 'waits for a process of the stream service' }
    : { state: 'running', detail: retentionDetail };
}
