// A reply onto the socket, headers in one flat list: the form Node writes without copying.

import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { HttpReply } from './http-message.ts';

export function writeReply(response: ServerResponse, reply: HttpReply): void {
  const headers: string[] = [];
  for (const [name, value] of reply.headers) headers.push(name, value);
  if (reply.statusText === undefined) response.writeHead(reply.status, headers);
  else response.writeHead(reply.status, reply.statusText, headers);
  if (reply.stream === undefined) response.end(reply.body);
  // Whichever of the two ends early takes the other with it.
  else pipeline(reply.stream, response, () => {});
}
