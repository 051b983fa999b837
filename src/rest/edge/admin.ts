// The admin server's answers: is it alive, is it ready, what does it know, what has it counted. On a port of its own, which
// need not be open to clients.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RestService } from '../lifecycle/rest-service.ts';
import { dumpSchemaCache } from '../schema-cache/dump.ts';
import type { Metrics } from './metrics.ts';

export type AdminParts = {
  /** A name where there are several. */
  readonly databases: readonly { readonly name: string | undefined; readonly service: RestService }[];
  readonly metrics: Metrics;
  /** Whether somebody answers on the main address. */
  readonly reachesMain: () => Promise<boolean>;
  /** The program stops, and answers until balancers have heard of it. */
  readonly isDraining?: () => boolean;
};

export function adminListener(parts: AdminParts): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    void answer(parts, path, response).catch(() => end(response, 500));
  };
}

async function answer(
  { databases, metrics, reachesMain, isDraining }: AdminParts,
  path: string,
  response: ServerResponse,
): Promise<void> {
  switch (path) {
    case '/live':
      return end(response, (await reachesMain()) ? 200 : 500);
    case '/ready':
      if (!(await reachesMain())) return end(response, 500);
      if (isDraining?.() === true) return end(response, 503);
      return ready(databases, response);
    case '/metrics':
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(metrics.text());
      return;
    case '/schema_cache': {
      const [only] = databases;
      if (databases.length === 1 && only?.name === undefined) return dump(only?.service, response);
      return end(response, 404);
    }
    default: {
      // One of several databases: /ready/name, /schema_cache/name.
      const [, question = '', name = '', ...more] = path.split('/');
      const one = databases.find((each) => each.name === name);
      if (one === undefined || more.length > 0) return end(response, 404);
      if (question === 'schema_cache') return dump(one.service, response);
      return question === 'ready' ? ready([one], response) : end(response, 404);
    }
  }
}

/** All of them; where there are several, a line for each says which are not. */
async function ready(databases: AdminParts['databases'], response: ServerResponse): Promise<void> {
  const states = await Promise.all(databases.map(({ service }) => service.isReady()));
  const status = states.every((isReady) => isReady) ? 200 : 503;
  const lines = databases.flatMap(({ name }, at) =>
    name === undefined ? [] : [`${name}: ${states[at] === true ? 'ready' : 'not ready'}\n`],
  );
  if (lines.length === 0) return end(response, status);
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(lines.join(''));
}

function dump(service: RestService | undefined, response: ServerResponse): void {
  const cache = service?.state().cache;
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  if (cache !== undefined) for (const part of dumpSchemaCache(cache)) response.write(part);
  response.end();
}

function end(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'Content-Length': '0' }).end();
}
