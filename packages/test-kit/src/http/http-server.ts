import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';

/** A request received by a server. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server of HTTP on this machine. */
export interface HttpServer {
  /** Without a slash at its end. */
  readonly origin: string;
  readonly requests: SeenRequest[];
  /** Returns the number of bytes sent over all connections. */
  readonly bytesSent: () => number;
  readonly openConnections: () => number;
  /** Sets the handler of further requests. */
  readonly answer: (handler: (request: SeenRequest, response: ServerResponse) => void) => void;
  readonly close: () => Promise<void>;
}

/** Starts a server that answers 404 until a handler is set. */
export async function openHttpServer(): Promise<HttpServer> {
  const sockets = new Set<Socket>();
  const requests: SeenRequest[] = [];
  let handler: (request: SeenRequest, response: ServerResponse) => void = (_, response) => response.writeHead(404).end();
  let sent = 0;
  const listener: RequestListener = (message, response) => {
    const pieces: Buffer[] = [];
    message.on('data', (piece: Buffer) => pieces.push(piece));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      const request = { method, url, headers, body: Buffer.concat(pieces).toString() };
      requests.push(request);
      handler(request, response);
    });
  };
  const server = createServer(listener);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sent += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bytesSent: () => sent + [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    openConnections: () => sockets.size,
    answer: (next) => {
      handler = next;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Size of a chunk. */
const PIECE_BYTES = 2 ** 16;

function* piecesOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES);
}

/** Answers with a file as servers of files do: ETag, ranges, 304. */
export function sendFile({ headers: asked }: SeenRequest, response: ServerResponse, content: Buffer, etag = '"1"'): void {
  if (asked['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(asked.range ?? '') ?? [];
  const headers = { etag, 'accept-ranges': 'bytes' };
  if (from === undefined) {
    response.writeHead(200, { ...headers, 'content-length': content.length });
    Readable.from(piecesOf(content)).pipe(response);
    return;
  }
  const part = content.subarray(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${content.length}`;
  response.writeHead(206, { ...headers, 'content-range': range, 'content-length': part.length }).end(part);
}
