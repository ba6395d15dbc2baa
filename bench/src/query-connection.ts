import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** The start of an answer; its body is thrown away. */
export interface AnswerHead {
  readonly status: number;
  readonly hasRetryAfter: boolean;
}

/**
 * A connection that is kept, for one query at a time. Written by hand: a client of the HTTP module would take as much of the machine
 * as the server that is measured on it.
 */
export class QueryConnection {
  readonly #socket: Socket;
  #received = '';
  #pending: PromiseWithResolvers<AnswerHead> | null = null;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    for (const event of ['error', 'close']) this.#socket.on(event, () => this.#fail());
  }

  /** Whether it can take a query. */
  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#pending === null;
  }

  /** Sends a request and waits for the end of its answer; rejects where the connection breaks. */
  send(request: string): Promise<AnswerHead> {
    this.#pending = Promise.withResolvers();
    this.#socket.write(request, 'utf8');
    return this.#pending.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received = this.#received === '' ? text : this.#received + text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    const isWhole = length === undefined ? LAST_CHUNK.test(this.#received) : this.#received.length >= end + 4 + Number(length);
    if (!isWhole) return;
    this.#received = '';
    const pending = this.#pending;
    this.#pending = null;
    pending?.resolve({ status: Number(head.slice(9, 12)), hasRetryAfter: /\r\nretry-after: /i.test(head) });
  }

  #fail(): void {
    this.#socket.destroy();
    this.#pending?.reject(new Error('the connection broke'));
    this.#pending = null;
  }
}

/** With its trailers. */
const LAST_CHUNK = /\r\n0\r\n(?:[^\r\n]+\r\n)*\r\n$/;
