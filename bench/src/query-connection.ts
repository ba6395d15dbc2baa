import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** The start of an answer; its body is thrown away. */
export interface AnswerHead {
  readonly status: number;
  /** Value of Retry-After in seconds. */
  readonly retryAfter: number | undefined;
}

/** Shared read buffer; its contents are consumed immediately. */
const READ = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * A keep-alive connection for one query at a time. Implemented on a socket, without a stream for the response: Node's HTTP
 * client would use as much of the machine as the server being measured.
 */
export class QueryConnection {
  readonly #socket: Socket;
  #received = '';
  #pending: PromiseWithResolvers<AnswerHead> | null = null;

  constructor(port: number) {
    const take = (length: number): boolean => {
      this.#take(READ.toString('latin1', 0, length));
      return true;
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: READ, callback: take } });
    for (const event of ['error', 'close']) this.#socket.on(event, () => this.#fail());
  }

  /** Returns whether it can take a query. */
  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#pending === null;
  }

  /** Sends an ASCII request and waits for the end of its response. Rejects if the connection breaks. */
  send(request: string): Promise<AnswerHead> {
    this.#pending = Promise.withResolvers();
    this.#socket.write(request, 'latin1');
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
    const retryAfter = /\r\nretry-after: (\d+)/i.exec(head)?.[1];
    pending?.resolve({ status: Number(head.slice(9, 12)), retryAfter: retryAfter === undefined ? undefined : Number(retryAfter) });
  }

  #fail(): void {
    this.#socket.destroy();
    this.#pending?.reject(new Error('the connection broke'));
    this.#pending = null;
  }
}

/** The last chunk, with trailers. */
const LAST_CHUNK = /\r\n0\r\n(?:[^\r\n]+\r\n)*\r\n$/;
