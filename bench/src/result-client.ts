import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A query that is sent again and again. */
export interface Ask {
  readonly url: string;
  readonly token: string;
  readonly query: string;
  readonly format: string;
}

/** What came of it. */
export interface Received {
  readonly bytes: number;
  readonly seconds: number;
  readonly firstByteMillis: number;
}

const agent = new Agent({ keepAlive: true });

/** Ends the connections that are kept. */
export function closeClients(): void {
  agent.destroy();
}

/** Reads a whole answer, or only its start, and keeps nothing of it. */
export async function receive(ask: Ask, { isLeftEarly = false } = {}): Promise<Received> {
  const began = performance.now();
  const res = await send(ask);
  let bytes = 0;
  let firstByteMillis = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMillis = performance.now() - began;
    bytes += chunk.byteLength;
    if (isLeftEarly) break;
  }
  if (!isLeftEarly && !res.complete) throw new Error(`${ask.format}: the answer broke off`);
  return { bytes, seconds: (performance.now() - began) / 1000, firstByteMillis };
}

/** Reads so many bytes a second, and leaves after so many seconds; whether the answer went on until then. */
export async function readSlowly(ask: Ask, at: { readonly bytesPerSecond: number; readonly seconds: number }): Promise<boolean> {
  const res = await send(ask);
  for (let second = 0; second < at.seconds; second += 1) {
    await sleep(1000);
    res.read(at.bytesPerSecond);
  }
  const goesOn = !res.complete && !res.destroyed;
  res.destroy();
  return goesOn;
}

async function send({ url, token, query, format }: Ask): Promise<IncomingMessage> {
  const req = request(url, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain', 'x-svc-output-format': format },
  });
  req.end(query);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  if (res.statusCode !== 200) throw new Error(`${format}: status ${res.statusCode}`);
  return res;
}
