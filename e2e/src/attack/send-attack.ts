import { Agent, request } from 'node:http';

import type { AttackTarget, ServiceName } from './attack-target.ts';

/** A request that is meant to do harm. */
export interface AttackRequest {
  /** The fuzzer that generated it. */
  readonly kind: string;
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Result of an attack. */
export interface AttackOutcome {
  /** 0 if there was no response, or an invalid one. */
  readonly status: number;
  /** A violated guarantee, if there was one. */
  readonly fault: string | null;
}

/** Longer than any limit of the attacked services. */
const HANG_MILLIS = 30_000;
const SHOWN_CHARACTERS = 500;
/** Length of the part of a response that is searched for leaks. */
const SEARCHED_CHARACTERS = 200_000;
const STATUSES_OF_FAILURE: ReadonlySet<number> = new Set([503, 504]);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends an attack, reads the answer, and judges it. */
export async function sendAttack(target: AttackTarget, attack: AttackRequest, token: string): Promise<AttackOutcome> {
  const { promise, resolve } = Promise.withResolvers<AttackOutcome>();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Length': String(Buffer.byteLength(attack.body)), ...attack.headers };
  try {
    const req = request(target.urls[attack.service] + attack.path, { method: attack.method, headers, agent }, (res) => {
      let text = '';
      // A Parquet file names the engine that wrote it.
      const isFile = res.headers['content-type']?.includes('vnd.') === true;
      const settle = (): void => resolve({ status: res.statusCode ?? 0, fault: faultOf(res.statusCode ?? 0, isFile ? '' : text, target) });
      res.on('data', (piece: Buffer) => {
        if (text.length < SEARCHED_CHARACTERS) text += piece.toString('latin1');
      });
      // A failure after the first byte breaks an answer off.
      res.once('end', settle).once('error', settle);
    });
    const timer = setTimeout(() => {
      resolve({ status: 0, fault: `no end of the answer in ${HANG_MILLIS / 1000} s` });
      req.destroy();
    }, HANG_MILLIS);
    void promise.then(() => clearTimeout(timer));
    // A service that has died is noticed by who watches it; one that cuts a client off may.
    req.on('error', () => resolve({ status: 0, fault: null }));
    req.end(attack.body);
  } catch {
    // A request that Node does not send.
    resolve({ status: 0, fault: null });
  }
  return promise;
}

function faultOf(status: number, text: string, { folder }: AttackTarget): string | null {
  const shown = text.slice(0, SHOWN_CHARACTERS);
  if (status >= 500 && !STATUSES_OF_FAILURE.has(status)) return `status ${status}: ${shown}`;
  const leak = [folder, 'node_modules', 'INTERNAL Error', 'duckdb'].find((secret) => text.includes(secret));
  return leak === undefined ? null : `the answer holds ${JSON.stringify(leak)}: ${shown}`;
}

/** Ends the connections. */
export function closeConnections(): void {
  agent.destroy();
}
