import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Between the end of what a client says and the first two looks at whether it is still there; later looks come less often. */
const FIRST_LOOKS_MILLIS = 100;
const LATER_LOOKS_MILLIS = 400;

/** What Node's HTTP server knows and does not tell. */
type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * A client may end its side of the connection with its request, as `nc -N` does, and wait for the answer. One that has gone away ends its
 * side, too; its system says so only to who sends it something. So until the answer begins the client is sent "100 Continue" now and
 * then, which is part of HTTP/1.1 and no answer, and of which the second fails where nobody is there. With HTTP/1.0 there is no such word: who
 * ends its side has gone. So has who ends it amid an answer of which nothing follows.
 */
export function answerHalfClosed(server: Server): void {
  // Not documented, and as old as Node's server: without it the end of a client's side ends ours.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket) => {
    socket.once('end', () => lookAfter(socket));
  });
}

function lookAfter(socket: HttpSocket): void {
  const first = socket._httpMessage ?? undefined;
  // Nothing is awaited: Node ends our side.
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
