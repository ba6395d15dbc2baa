import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where queries are sent, and on whose behalf. */
export interface Target {
  readonly url: string;
  /** Access tokens, each of a caller of its own; queries take turns. */
  readonly tokens: readonly string[];
}

/** How a query was answered. */
export interface Answer {
  readonly status: number;
  /** From when it was to be sent, in milliseconds; so a client that comes late does not flatter the server. */
  readonly millis: number;
  readonly hasRetryAfter: boolean;
}

/** Answers of a time span. */
export interface Load {
  readonly seconds: number;
  readonly answers: readonly Answer[];
}

const agent = new Agent({ keepAlive: true });

/** Ends the connections that are kept. */
export function closeConnections(): void {
  agent.destroy();
}

/** One query; a connection that breaks is the status 0. */
export async function ask(target: Target, body: string, turn = 0, due = performance.now()): Promise<Answer> {
  const answered = Promise.withResolvers<IncomingMessage>();
  const headers = { authorization: `Bearer ${target.tokens[turn % target.tokens.length] ?? ''}`, 'content-type': 'text/plain' };
  const sent = request(target.url, { method: 'POST', agent, headers }, answered.resolve).on('error', answered.reject).end(body);
  try {
    const response = await answered.promise;
    for await (const _ of response);
    return { status: response.statusCode ?? 0, millis: performance.now() - due, hasRetryAfter: 'retry-after' in response.headers };
  } catch {
    // The server may end a connection that was kept in the moment in which it is used again.
    return sent.reusedSocket ? ask(target, body, turn, due) : { status: 0, millis: performance.now() - due, hasRetryAfter: false };
  }
}

/** So many clients, each asking again as soon as it is answered. */
export async function closedLoop(target: Target, body: string, at: { readonly clients: number; readonly seconds: number }): Promise<Load> {
  const answers: Answer[] = [];
  const end = performance.now() + at.seconds * 1000;
  const client = async (_: unknown, turn: number): Promise<void> => {
    while (performance.now() < end) {
      const answer = await ask(target, body, turn);
      if (performance.now() <= end) answers.push(answer);
      if (answer.status !== 200) await sleep(100); // whoever is refused does not ask again at once
    }
  };
  await Promise.all(Array.from({ length: at.clients }, client));
  return { seconds: at.seconds, answers };
}

/** So many queries a second, whether the earlier ones are answered or not; `settled` are those answered within the span. */
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

/** The time within which this share of the results came. */
export function quantile({ answers }: Load, share: number): number {
  const times = answers.filter(({ status }) => status === 200).map(({ millis }) => millis);
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Each status and how often it came, such as `200: 12, 503: 3`. */
export function statuses({ answers }: Load): string {
  const found = Map.groupBy(answers, ({ status }) => status);
  return [...found].map(([status, each]) => `${status}: ${each.length}`).join(', ');
}
