// The admin server's answers: is it alive, is it ready, what does it know, what has it counted. On a port of its own, which
// need not be open to clients.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RestService } from '../lifecycle/rest-service.ts';
import { dumpSchemaCache } from '../schema-cache/dump.ts';
import type { Metrics } from './metrics.ts';

export type AdminParts = {
  readonly service: RestService;
  readonly metrics: Metrics;
  /** Whether somebody answers on the main address. */
  readonly reachesMain: () => Promise<boolean>;
};

export function adminListener(parts: AdminParts): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    void answer(parts, path, response).catch(() => end(response, 500));
  };
}

async function answer(
  { service, metrics, reachesMain }: AdminParts,
  path: string,
  response: ServerResponse,
): Promise<void> {
  switch (path) {
    case '/live':
      return end(response, (await reachesMain()) ? 200 : 500);
    case '/ready':
      if (!(await reachesMain())) return end(response, 500);
      return end(response, (await service.isReady()) ? 200 : 503);
    case '/metrics':
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(metrics.text());
      return;
    case '/schema_cache': {
      const { cache } = service.state();
      response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
      if (cache !== undefined) for (const part of dumpSchemaCache(cache)) response.write(part);
      response.end();
      return;
    }
    default:
      return end(response, 404);
  }
}

function end(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'Content-Length': '0' }).end();
}
