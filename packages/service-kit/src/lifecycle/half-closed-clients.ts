import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Delay between a client's half-close and each of the first two probes; later probes are less frequent. */
const FIRST_LOOKS_MILLIS = 100;
const LATER_LOOKS_MILLIS = 400;

/** Undocumented property of Node's HTTP sockets. */
type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Keeps half-closed connections open until the response is sent. A client may end its side with its request, as `nc -N`
 * does, and wait for the response. A client that has disconnected ends its side too; its system reports that only when data
 * is sent to it. So until the response begins, the server sends "100 Continue" at intervals, which HTTP/1.1 allows before a
 * final response; the second one fails if the client is gone. HTTP/1.0 has no such status: a half-close counts as a
 * disconnect there, and so does one in the middle of a response to which no more is written.
 */
export function answerHalfClosed(server: Server): void {
  // Undocumented, but as old as Node's server: without it the end of the client's side ends the server's.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket) => {
    socket.once('end', () => lookAfter(socket));
  });
}

function lookAfter(socket: HttpSocket): void {
  const first = socket._httpMessage ?? undefined;
  // No response is pending: Node ends the server's side.
  if (first === undefined || socket.destroyed) return;
  const begun = first.headersSent ? first : undefined;
  let looks = 0;
  let sentBytes = socket.bytesWritten;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const message = socket._httpMessage ?? undefined;
    const isStill = socket.bytesWritten === sentBytes && socket.writableLength === 0;
    if (message !== undefined && !message.writableEnded) {
      if (message.req.httpVersion === '1.0' || (message === begun && isStill)) socket.destroy();
      else if (!message.headersSent) message.writeContinue();
    }
    if (socket.destroyed) return;
    sentBytes = socket.bytesWritten;
    looks += 1;
    timer = setTimeout(look, looks < 2 ? FIRST_LOOKS_MILLIS : LATER_LOOKS_MILLIS);
  };
  timer = setTimeout(look, begun === undefined ? FIRST_LOOKS_MILLIS : LATER_LOOKS_MILLIS);
  socket.once('close', () => clearTimeout(timer));
}
