// A reply onto the socket, headers in one flat list: the form Node writes without copying.

import type { ServerResponse } from 'node:http';
import type { HttpReply } from './http-message.ts';

export function writeReply(response: ServerResponse, reply: HttpReply): void {
  const headers: string[] = [];
  for (const [name, value] of reply.headers) headers.push(name, value);
  if (reply.statusText === undefined) response.writeHead(reply.status, headers);
  else response.writeHead(reply.status, reply.statusText, headers);
  response.end(reply.body);
}
