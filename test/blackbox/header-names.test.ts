// How the running program spells the headers of its answers, on each of the ways that an answer can take to the socket.

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PortalProgram, startPortal } from '../browser/portal-program.ts';

describe('header names', () => {
  let portal: PortalProgram;
  let rest: string;
  let admin: string;
  beforeAll(async () => {
    portal = await startPortal({ 'admin-server-port': '0', 'admin-server-host': '127.0.0.1' });
    rest = /REST service listens on ([^\s"]+)/.exec(portal.program.err())?.[1] ?? '';
    admin = /Admin server listens on ([^\s"]+)/.exec(portal.program.err())?.[1] ?? '';
  });
  afterAll(async () => {
    await portal.stop();
  });

  test.each([
    ['the pages', 'portal', 'GET', '/'],
    ['a file of the pages', 'portal', 'GET', '/icon.svg'],
    ['the head of a page', 'portal', 'HEAD', '/'],
    ['the catalogue', 'portal', 'GET', '/api/v2/resources/'],
    ['a refusal', 'portal', 'POST', '/api/v2/maps/'],
    ['something that is not there', 'portal', 'GET', '/api/v2/maps/1'],
    ['the map service', 'portal', 'GET', '/wms?SERVICE=WMS&REQUEST=GetCapabilities'],
    ['an exception of the map service', 'portal', 'GET', '/wms?SERVICE=WMS&REQUEST=GetMap'],
    ['features', 'portal', 'GET', '/ogc/features/collections'],
    ['the provider of identities', 'portal', 'GET', '/o/.well-known/openid-configuration'],
    ['the library of the provider', 'portal', 'GET', '/o/jwks/'],
    ['REST beside the portal', 'portal', 'GET', '/rest/v1/'],
    ['an error of REST beside the portal', 'portal', 'GET', '/rest/v1/nowhere'],
    ['REST without Node', 'rest', 'GET', '/'],
    ['REST by way of Node', 'rest', 'POST', '/nowhere'],
    ['methods', 'rest', 'OPTIONS', '/'],
    ['the admin server', 'admin', 'GET', '/metrics'],
  ])('of %s begin with capitals', async (_, server, method, path) => {
    const base = server === 'portal' ? portal.url : server === 'rest' ? rest : admin;
    const names = await headerNames(base, method, path);
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => /(?:^|-)[a-z]/.test(name))).toEqual([]);
  });
});

function headerNames(base: string, method: string, path: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const headers = method === 'POST' ? { 'Transfer-Encoding': 'chunked' } : {};
    const asked = request(base + path, { method, headers, agent: false }, (reply) => {
      reply.resume().on('end', () => resolve(reply.rawHeaders.filter((_, i) => i % 2 === 0)));
    });
    asked.on('error', reject).end(method === 'POST' ? '{}' : undefined);
  });
}
