import { describe, expect, test } from 'vitest';
import type { Observation, RequestObservation } from '../kernel/observation.ts';
import { type LogSettings, makeLog } from './log.ts';

const NOW = new Date('2024-05-06T08:16:11Z');

type Lines = { readonly out: readonly string[]; readonly err: readonly string[] };

function logged(settings: Partial<LogSettings>, ...observations: readonly Observation[]): Lines {
  const out: string[] = [];
  const err: string[] = [];
  const all: LogSettings = { logLevel: 'error', logFormat: 'text', logQuery: 'disabled', ...settings };
  const log = makeLog(() => all, { out: (line) => out.push(line), err: (line) => err.push(line), now: () => NOW });
  for (const observation of observations) log(observation);
  return { out, err };
}

function answered(more: Partial<RequestObservation>): RequestObservation {
  return {
    kind: 'request',
    service: 'rest',
    atMs: NOW.getTime(),
    tookMs: 1.23456,
    remoteAddress: '127.0.0.1',
    role: 'web_anon',
    method: 'GET',
    target: '/items',
    httpVersion: '1.1',
    status: 200,
    bytes: 56,
    referer: undefined,
    userAgent: 'curl/7.64.0',
    ...more,
  };
}

describe('the access log', () => {
  test('is the combined format', () => {
    const { out } = logged({ logLevel: 'info' }, answered({}));
    expect(out[0]).toMatch(
      /^127\.0\.0\.1 - web_anon \[\d\d\/May\/2024:\d\d:16:11 [+-]\d{4}\] "GET \/items HTTP\/1\.1" 200 56 "" "curl\/7\.64\.0"$/,
    );
  });

  test.each<[LogSettings['logLevel'], readonly number[]]>([
    ['crit', []],
    ['error', [500]],
    ['warn', [400, 500]],
    ['info', [200, 400, 500]],
    ['debug', [200, 400, 500]],
  ])('at %s has requests of status %j', (logLevel, statuses) => {
    const all = [200, 400, 500].map((status) => answered({ status }));
    expect(logged({ logLevel }, ...all).out).toHaveLength(statuses.length);
  });

  test('has no role where authentication failed, and no address on a socket file', () => {
    const { out } = logged({ logLevel: 'info' }, answered({ role: undefined, remoteAddress: undefined }));
    expect(out[0]).toMatch(/^- - - \[/);
  });

  test('as JSON has the code of the error', () => {
    const { out } = logged({ logLevel: 'warn', logFormat: 'json' }, answered({ status: 404, error: 'SVRST205' }));
    expect(JSON.parse(out[0] ?? '')).toEqual({
      time: '2024-05-06T08:16:11.000Z',
      ms: 1.235,
      service: 'rest',
      remoteAddress: '127.0.0.1',
      role: 'web_anon',
      method: 'GET',
      target: '/items',
      httpVersion: '1.1',
      status: 404,
      error: 'SVRST205',
      bytes: 56,
      userAgent: 'curl/7.64.0',
    });
  });
});

const HOSTILE = 'a"b\\c\r\nd\u001b[31m\u2028\u2029e';

describe('hostile text stays in its line', () => {
  test.each<LogSettings['logFormat']>(['text', 'json'])('of the access log as %s', (logFormat) => {
    const { out } = logged(
      { logLevel: 'info', logFormat },
      answered({ target: `/${HOSTILE}`, referer: HOSTILE, userAgent: HOSTILE, role: HOSTILE }),
    );
    expect(out).toHaveLength(1);
    expect(out[0]).not.toMatch(/\p{Cc}/u);
    if (logFormat === 'json') expect(JSON.parse(out[0] ?? '')).toMatchObject({ userAgent: HOSTILE, role: HOSTILE });
    else expect(out[0]?.match(/"/g)).toHaveLength(6);
  });

  test.each<[string, Observation]>([
    ['a notification', { kind: 'notified', channel: 'pgrst', payload: `reload ${HOSTILE}` }],
    ['a server', { kind: 'connection-lost', message: HOSTILE }],
    ['a database error', { kind: 'database-error', status: 500, body: HOSTILE }],
    ['a statement', { kind: 'statement', status: 500, sql: HOSTILE }],
    ['an exception', { kind: 'bug', id: '1', cause: new Error(HOSTILE) }],
  ])('of %s', (_, observation) => {
    for (const logFormat of ['text', 'json'] as const) {
      const { err } = logged({ logFormat }, observation);
      expect(err).toHaveLength(1);
      expect(err[0]).not.toMatch(/\p{Cc}/u);
    }
  });
});

describe('diagnostics', () => {
  test('have a time before them', () => {
    expect(logged({}, { kind: 'stopping', reason: 'x' }).err[0]).toMatch(
      /^06\/May\/2024:\d\d:16:11 [+-]\d{4}: Stopping: x$/,
    );
  });

  test('a pool that times out for everyone says so once', () => {
    const timeout: Observation = { kind: 'pool-timeout', afterMs: 10_000 };
    expect(logged({}, timeout, timeout, timeout).err).toHaveLength(1);
    expect(logged({ logLevel: 'crit' }, timeout).err).toEqual([]);
  });

  test('a statement is told where its request is', () => {
    const statement: Observation = { kind: 'statement', status: 200, sql: 'select 1' };
    expect(logged({ logLevel: 'warn' }, statement).err).toEqual([]);
    expect(logged({ logLevel: 'info' }, statement).err).toHaveLength(1);
  });

  test('connections of the pool are for debugging', () => {
    const opened: Observation = { kind: 'pool-connection', event: 'opened' };
    expect(logged({ logLevel: 'info' }, opened).err).toEqual([]);
    expect(logged({ logLevel: 'debug' }, opened).err).toHaveLength(1);
  });
});
