// Closes connections whose clients stall: those that take nothing of their answer, and those that send nothing more of their request.
// Who waits for the database is not stalled, however long it takes.

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export type StallLimits = {
  /** Without a byte in either direction, while it is the client's turn. */
  readonly stalledMs: number;
  /** How long a body may take to arrive, however steadily it comes; undefined: as long as the server lets any request take. */
  readonly bodyMs?: number;
  /** Whose body may take longer. */
  readonly isUpload?: (request: IncomingMessage) => boolean;
};

export function closeStalled(server: Server, { stalledMs, bodyMs, isUpload }: StallLimits): void {
  const underWay = new Map<Socket, IncomingMessage>();
  server.on('request', (request, response) => {
    const { socket } = request;
    underWay.set(socket, request);
    const timer =
      bodyMs === undefined || !hasBody(request) || isUpload?.(request) === true
        ? undefined
        : setTimeout(() => {
            if (!request.complete) socket.destroy();
          }, bodyMs).unref();
    response.once('close', () => {
      clearTimeout(timer);
      if (underWay.get(socket) === request) underWay.delete(socket);
    });
  });
  // Node watches the bytes, and starts its clock anew with each that comes or goes. Without this listener it would close everyone who
  // waits; one that nothing is under way for has been idle for as long as connections are kept.
  server.setTimeout(stalledMs, (socket: Socket) => {
    const request = underWay.get(socket);
    if (request === undefined || socket.writableLength > 0 || isExpectingMore(request)) socket.destroy();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The body is not whole, and it is not we who are slow to read it. */
function isExpectingMore(request: IncomingMessage): boolean {
  return !request.complete && request.readableLength < request.readableHighWaterMark;
}
