import { setTimeout as sleep } from 'node:timers/promises';

import type { AnswerHead } from './query-connection.ts';
import { QueryConnection } from './query-connection.ts';

/** Address of the executor, and the callers. */
export interface Target {
  readonly port: number;
  /** Access tokens, each of its own caller; queries use them in turn. */
  readonly tokens: readonly string[];
}

/** Response to a query. */
export interface Answer extends AnswerHead {
  /** Latency in milliseconds, from the scheduled start, so that a late client does not flatter the server. */
  readonly millis: number;
}

/** Answers of a time span. */
export interface Load {
  readonly seconds: number;
  readonly answers: readonly Answer[];
}

const idle: QueryConnection[] = [];

/** Closes idle connections. */
export function closeConnections(): void {
  for (const connection of idle.splice(0)) connection.close();
}

/** Sends one query (ASCII); a broken connection is the status 0. */
export async function ask(target: Target, body: string, turn = 0, due = performance.now()): Promise<Answer> {
  const kept = takeIdle();
  const connection = kept ?? new QueryConnection(target.port);
  const token = target.tokens[turn % target.tokens.length] ?? '';
  try {
    const head = await connection.send(
      `POST /query HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    idle.push(connection);
    return { ...head, millis: performance.now() - due };
  } catch {
    // The server may close an idle connection at the moment of its reuse.
    return kept === undefined ? { status: 0, millis: performance.now() - due, retryAfter: undefined } : ask(target, body, turn, due);
  }
}

function takeIdle(): QueryConnection | undefined {
  for (let found = idle.pop(); found !== undefined; found = idle.pop()) if (found.isOpen) return found;
  return undefined;
}

/** Number of clients, and duration. */
export interface ClosedLoopOptions {
  readonly clients: number;
  readonly seconds: number;
  /** True if rejected clients retry after `Retry-After`, and not sooner. */
  readonly isPatient?: boolean;
}

/** Runs a fixed number of clients, each sending the next query as soon as it has a result. */
export async function closedLoop(target: Target, body: string, at: ClosedLoopOptions): Promise<Load> {
  const answers: Answer[] = [];
  const end = performance.now() + at.seconds * 1000;
  const client = async (_: unknown, turn: number): Promise<void> => {
    while (performance.now() < end) {
      const answer = await ask(target, body, turn);
      if (performance.now() <= end) answers.push(answer);
      if (answer.status !== 200) await sleep(Math.max(0, Math.min(pauseMillis(answer, at), end - performance.now())));
    }
  };
  await Promise.all(Array.from({ length: at.clients }, client));
  return { seconds: at.seconds, answers };
}

/** Returns the delay before a rejected client retries; with jitter, so that clients rejected together do not return together. */
function pauseMillis({ retryAfter }: Answer, { isPatient = false }: ClosedLoopOptions): number {
  return isPatient && retryAfter !== undefined ? retryAfter * 1000 * (1 + Math.random() / 2) : 100;
}

/** Sends queries at a fixed rate, whether or not earlier ones are answered; counts the responses within the duration. */
export async function openLoop(target: Target, body: string, at: { readonly rate: number; readonly seconds: number }): Promise<Load> {
  const answers: Answer[] = [];
  const began = performance.now();
  const all: Promise<unknown>[] = [];
  const end = began + at.seconds * 1000;
  for (let sent = 0; performance.now() < end;) {
    for (const due = (performance.now() - began) * (at.rate / 1000); sent < due; sent += 1) {
      const turn = sent;
      all.push(
        ask(target, body, turn, began + turn / (at.rate / 1000)).then((answer) => {
          if (performance.now() <= end) answers.push(answer);
        }),
      );
    }
    await sleep(2);
  }
  await Promise.all(all);
  return { seconds: at.seconds, answers };
}

/** Queries that were answered with their result, per second. */
export function perSecond({ answers, seconds }: Load): number {
  return answers.filter(({ status }) => status === 200).length / seconds;
}

/** Returns the response time that this share of the responses did not exceed. */
export function quantile({ answers }: Load, share: number): number {
  const times = answers.filter(({ status }) => status === 200).map(({ millis }) => millis);
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Formats the number of responses by status, such as `200: 12, 503: 3`. */
export function statuses({ answers }: Load): string {
  const found = Map.groupBy(answers, ({ status }) => status);
  return [...found].map(([status, each]) => `${status}: ${each.length}`).join(', ');
}
