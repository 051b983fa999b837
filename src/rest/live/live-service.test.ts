// All live streams of a process, over a database and a clock that tests hold.

import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Observation } from '../../kernel/observation.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Driver, Statement } from '../../pg/driver.ts';
import type { LiveRead } from '../pipeline/live-port.ts';
import type { RestState } from '../pipeline/state.ts';
import { makeLiveService } from './live-service.ts';

const START = 1_000_000;
beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

function open(limits: object = {}) {
  const state = {
    asked: 0,
    isLogReadable: true,
    seen: [] as Observation[],
    nobody: err({ kind: 'jwt-empty' }) as unknown,
  };
  const texts = (...rows: (readonly (string | null)[])[]) =>
    ok([{ rows: rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell)))) }]);
  const execute = async (statements: readonly Statement[]) => {
    const { text = '', name } = statements.at(-1) ?? {};
    if (name === 'survest_live_read')
      return state.isLogReadable
        ? texts(['10:10:', null, null, null])
        : err({ kind: 'sql', sqlstate: '42501', message: 'no right' });
    if (text.includes('pg_current_snapshot')) return texts(['10:10:']);
    if (text.includes('with recursive asked'))
      return texts(['11', 'live.place', 'r', 'true', 'false', 'triggers', 'true']);
    state.asked += 1;
    return ok([]);
  };
  const config = {
    dbPreparedStatements: false,
    liveMaxStreams: 3,
    liveMaxQueue: 1000,
    liveRecheck: 1e6,
    liveMaxRows: 10,
    liveMaxRowsTotal: 20,
    liveHeartbeat: 30,
    liveGracePeriod: 60,
    errorCodes: 'own',
    ...limits,
  };
  const rest = {
    config,
    searchPaths: new Map(),
    roles: new Map(),
    appSettings: [],
    get auth() {
      return { cookieName: undefined, nobody: state.nobody };
    },
  } as unknown as RestState;
  const service = makeLiveService({
    driver: { execute, listen: () => ({ close: async () => {} }), stats: () => ({ max: 4 }) } as unknown as Driver,
    state: () => rest,
    observe: (one) => state.seen.push(one),
    now: () => Date.now(),
    onBug: (cause) => {
      throw cause;
    },
  });
  const read = (path: string, claims: object = {}): LiveRead =>
    ({
      http: { method: 'GET', path, query: '', headers: {} },
      state: rest,
      who: { role: 'reader', claims, claimsJson: '{}', isAnonymous: true },
      request: { schema: 'live', path, preferences: {}, values: [] },
      relations: [{ schema: 'live', name: 'place' }],
      guarded: [],
      query: { whole: { text: 'all', params: [] }, byKey: { text: 'by key', params: [] }, key: ['id'] },
    }) as unknown as LiveRead;
  const listen = async (path = '/place', claims?: object): Promise<Readable> => {
    const joined = await service.open(read(path, claims), undefined);
    if (!joined.ok) throw new Error(joined.error.kind);
    const { stream } = joined.value;
    if (stream === undefined) throw new Error('no stream');
    return stream as Readable;
  };
  const now = (): unknown => state.seen.findLast((one) => one.kind === 'live-now');
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { service, state, read, listen, now, pass };
}
const heard = (stream: Readable): string => String(stream.read() ?? '');

test('is an answer without end that nobody keeps', async () => {
  const { service, read } = open();
  const joined = await service.open(read('/place'), undefined);
  expect(joined).toMatchObject({
    ok: true,
    value: {
      status: 200,
      headers: [
        ['Content-Type', 'text/event-stream; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        ['X-Accel-Buffering', 'no'],
      ],
    },
  });
  await service.stop();
});

test('is quiet, but for a sign of life every half minute', async () => {
  const { service, listen, pass } = open();
  const stream = await listen();
  heard(stream);
  await pass(1000);
  expect(heard(stream)).toBe(':\n\n');
  await pass(29_000);
  expect(heard(stream)).toBe('');
  await pass(1000);
  expect(heard(stream)).toBe(':\n\n');
  await service.stop();
});

test('where changes are not heard of, all rows are looked at every two seconds, and only then', async () => {
  const { service, state, listen, pass } = open();
  await listen();
  await pass(10_000);
  expect(state.asked).toBe(1);
  await service.stop();
  const deaf = open();
  deaf.state.isLogReadable = false;
  await deaf.listen();
  await deaf.pass(1000);
  deaf.state.asked = 0;
  await deaf.pass(10_000);
  expect(deaf.state.asked).toBe(5);
  await deaf.service.stop();
});

test('ends when the token has expired, unless it is taken for longer', async () => {
  const { service, state, listen, pass, now } = open();
  const exp = START / 1000 + 5;
  const [ends, stays] = [await listen('/place', { exp }), await listen('/visit')];
  heard(ends);
  heard(stays);
  await pass(4000);
  expect([heard(ends), heard(stays)]).toEqual([':\n\n', ':\n\n']);
  state.nobody = ok({});
  await pass(2000);
  expect(heard(ends)).toBe('');
  state.nobody = err({ kind: 'jwt-empty' });
  await pass(1000);
  expect([heard(ends), heard(stays)]).toEqual([expect.stringContaining('event: end'), '']);
  expect(now()).toMatchObject({ streams: 1, groups: 1 });
  expect(state.seen).toContainEqual(expect.objectContaining({ kind: 'live-ended', ending: 'ended', target: '/place' }));
  await service.stop();
});

test('are so many, and no more; who comes when all is stopped is sent away', async () => {
  const { service, state, listen, now } = open();
  for (const path of ['/a', '/b', '/b']) await listen(path);
  expect(now()).toMatchObject({ streams: 3, groups: 2 });
  await expect(listen('/c')).rejects.toThrow('live-too-many-streams');
  await service.stop();
  expect(now()).toMatchObject({ streams: 0, groups: 0 });
  expect(state.seen.filter((one) => one.kind === 'live-ended' && one.ending === 'stopping')).toHaveLength(3);
  await expect(listen('/c')).rejects.toThrow('live-stopping');
});

test('what nobody listens to any more is kept for a while for who comes back, and forgotten then', async () => {
  const { service, listen, now, pass } = open();
  (await listen()).destroy();
  await pass(59_000);
  expect(now()).toMatchObject({ groups: 1 });
  await pass(3000);
  expect(now()).toMatchObject({ groups: 0 });
  await service.stop();
});

test('when the schema was loaded anew, who may not read any more is told so', async () => {
  const { service, listen, pass } = open();
  const stream = await listen();
  heard(stream);
  service.stateChanged();
  await pass(0);
  expect(heard(stream)).toContain('event: end');
  await service.stop();
});
