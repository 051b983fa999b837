// A service of a suite behind a real HTTP server on loopback.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { restListener } from '../../../src/rest/edge/listener.ts';
import type { SuiteClient } from '../../testkit/use-rest.ts';

/** The address of the service, without a slash at the end, once the tests run. */
export function useHttp(rest: SuiteClient, mount = ''): () => string {
  let server: Server | undefined;
  beforeAll(async () => {
    const started = createServer(restListener(rest.client().service));
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  });
  return () => {
    if (server === undefined) throw new Error('the server is there once the tests run');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${mount}`;
  };
}
