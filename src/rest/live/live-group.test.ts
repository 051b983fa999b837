// A group of listeners over a table that tests hold: what is asked of the database for each change, and what is told of it.

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Statement } from '../../pg/driver.ts';
import type { LiveRead } from '../pipeline/live-port.ts';
import { type GroupContext, LiveGroup } from './live-group.ts';
import type { LiveListener } from './live-listener.ts';
import type { LiveSources } from './live-sources.ts';

const START = 1_000_000;
beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

const PLACES = '11';
const TOWNS = '12';
const AWAY: DbError = { kind: 'lost', message: 'away' };
const key = (id: number | string): string => `["${id}"]`;
const row = (id: number, name: string): string => `event: row\ndata: {"key":{"id":${id}},"row":{"name":"${name}"}}\n\n`;

/** A row as the protocol has it: two cells, either of which may be null. */
function dataRow(cells: readonly (string | null)[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0, cells.length])];
  for (const cell of cells) {
    const length = Buffer.alloc(4);
    length.writeInt32BE(cell === null ? -1 : Buffer.byteLength(cell));
    parts.push(length, Buffer.from(cell ?? ''));
  }
  return Buffer.concat(parts);
}

function open(settings: { readonly isByKey?: boolean; readonly limits?: object } = {}) {
  const table = new Map<number, string>([
    [1, 'Mill'],
    [2, 'Inn'],
  ]);
  const state = {
    asked: [] as string[],
    told: [] as unknown[],
    fails: undefined as DbError | undefined,
    full: false,
    /** Keys that rows have besides their own, as those of a join do. */
    keyOf: (id: number): string | null => `{"id":${id}}`,
    sources: {
      root: PLACES,
      relations: new Set([PLACES, TOWNS]),
      followable: [],
      others: [],
      isComplete: true,
      isDecoded: false,
    } as LiveSources,
    areSourcesKnown: true,
    isPolled: false,
    position: '10:10:',
    others: 0,
    areOthersIdle: false,
    kept: 0,
    slowMs: 0,
    log: [] as (readonly [string, string | null])[],
  };
  const execute = async (statements: readonly Statement[]): Promise<Result<unknown, DbError>> => {
    const statement = statements.at(-1);
    if (statement?.name === 'survest_live_read') {
      const rows = state.log.map(([relation, keys]) => [state.position, relation, keys, '0']);
      return ok([{ rows: rows.map((cells) => cells.map((cell) => (cell === null ? null : Buffer.from(cell)))) }]);
    }
    const keys = statement?.text === 'by key' ? (JSON.parse(String(statement.params[0])) as [string][]) : undefined;
    state.asked.push(keys === undefined ? 'all' : keys.flat().join());
    vi.setSystemTime(Date.now() + state.slowMs);
    if (state.fails !== undefined) return err(state.fails);
    const into = statement?.into;
    into?.begin?.([] as never);
    const add = (cells: readonly (string | null)[]): void => {
      const bytes = dataRow(cells);
      into?.row(bytes, 0, bytes.length);
    };
    const shown = (id: number): string | null => (table.has(id) ? `{"name":"${table.get(id)}"}` : null);
    for (const id of keys === undefined ? [...table.keys()] : keys.flat().map(Number))
      add([state.keyOf(id), shown(id)]);
    if (state.full) add([null, 'x'.repeat(33 * 1024 * 1024)]);
    return ok([]);
  };
  const config = {
    dbPreparedStatements: false,
    liveMaxQueue: 1000,
    liveRecheck: 100,
    liveMaxRows: 10,
    liveMaxRowsTotal: 20,
    errorCodes: 'own',
    ...settings.limits,
  };
  const read = (text: string): LiveRead =>
    ({
      http: { method: 'GET', path: '/place', headers: {} },
      state: { config, searchPaths: new Map(), roles: new Map(), appSettings: [] },
      who: { role: 'reader', claimsJson: '{}', isAnonymous: true },
      request: { schema: 'live', path: '/place', preferences: {}, values: [] },
      relations: [],
      guarded: [],
      query: {
        whole: { text, params: [] },
        byKey: settings.isByKey === false ? undefined : { text: 'by key', params: [{ kind: 'keys' }] },
        key: ['id'],
      },
    }) as unknown as LiveRead;
  const context: GroupContext = {
    driver: { execute } as unknown as Driver,
    gate: (work) => work(),
    askSources: async () => {
      state.told.push('asked for sources');
      return state.areSourcesKnown ? ok(state.sources) : err(AWAY);
    },
    decoding: async () => void state.told.push('waited for decoding'),
    isPolled: () => state.isPolled,
    now: () => Date.now(),
    tag: 'tag',
    position: () => state.position,
    ringBytes: () => 10_000,
    addRows: (more) => {
      state.kept += more;
      return state.kept + state.others;
    },
    makeRoom: () => {
      if (state.areOthersIdle) state.others = 0;
      return state.kept + state.others;
    },
    onTold: (events, listeners, lagMs) => state.told.push({ events, listeners, lagMs }),
    onDelayed: (error) => state.told.push({ delayed: error.kind }),
    onLeft: (_, how) => state.told.push({ left: how }),
    onBug: (cause) => {
      throw cause;
    },
    onEnded: (error, listeners) => state.told.push({ ended: error.kind, listeners }),
  };
  const group = new LiveGroup(read('all'), context);
  const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
  const join = async (lastEventId?: string): Promise<LiveListener> => {
    const joined = await group.join(lastEventId, Promise.resolve(ok(undefined)));
    if (!joined.ok) throw new Error(joined.error.kind);
    return joined.value;
  };
  const changed = (relation: string, keys: readonly string[] | undefined, at = Date.now()) => {
    group.changed({ relation, keys }, at);
    return pass();
  };
  /** What was asked of the database, and told of it, since the last look. */
  const asked = () => state.asked.splice(0);
  const told = () => state.told.splice(0);
  return { group, table, state, pass, join, changed, asked, told, read };
}

/** What waits for a listener, without ids. */
function heard(listener: LiveListener): string {
  return String(listener.read() ?? '').replaceAll(/^id: .*\n/gm, '');
}
function lastId(listener: LiveListener): string {
  const [, ...ids] = String(listener.read() ?? '').split('id: ');
  return ids.at(-1)?.split('\n')[0] ?? '';
}
const RESET = (reason: string): string => `event: reset\ndata: {"reason":"${reason}"}\n\n`;
const READY = (rows: number): string => `event: ready\ndata: {"rows":${rows}}\n\n`;

test('begins with all rows; of a change it asks for the rows of its keys alone, and tells what is other than before', async () => {
  const { table, join, changed, asked, told } = open();
  const listener = await join();
  expect(heard(listener)).toBe(RESET('start') + row(1, 'Mill') + row(2, 'Inn') + READY(2));
  expect([asked(), told()]).toEqual([['all'], ['asked for sources']]);
  table.set(2, 'Pub').delete(1);
  table.set(3, 'Tower');
  await changed(PLACES, [key(1), key(2), key(3)], START - 7);
  expect(heard(listener)).toBe(`event: gone\ndata: {"key":{"id":1}}\n\n${row(2, 'Pub')}${row(3, 'Tower')}`);
  expect([asked(), told()]).toEqual([['1,2,3'], [{ events: 3, listeners: 1, lagMs: 7 }]]);
  // By a clock that is ahead of ours.
  table.set(4, 'Dam');
  await changed(PLACES, [key(4)], START + 5000);
  heard(listener);
  expect([asked(), told()]).toEqual([['4'], [{ events: 1, listeners: 1, lagMs: 0 }]]);
  // Nothing that anybody sees.
  await changed(PLACES, [key(2), key(9)]);
  expect([heard(listener), asked(), told()]).toEqual(['', ['2,9'], []]);
});

test('asks for everything where another table of it has changed, at most a tenth of the time, and for nothing where none has', async () => {
  const { table, state, join, changed, pass, asked } = open();
  const listener = await join();
  heard(listener);
  asked();
  await changed('99', undefined);
  expect(asked()).toEqual([]);
  table.set(1, 'Dam');
  await changed(TOWNS, [key(1)]);
  // It was just read: not before 100 ms are over.
  await pass(99);
  expect(asked()).toEqual([]);
  state.slowMs = 50;
  await pass(1);
  expect([asked(), heard(listener)]).toEqual([['all'], row(1, 'Dam')]);
  await changed(TOWNS, undefined);
  await pass(499);
  expect(asked()).toEqual([]);
  await pass(1);
  expect(asked()).toEqual(['all']);
});

test('of very many keys, and of a change of which none are known, everything is looked at', async () => {
  const { join, changed, pass, asked, told } = open();
  await join();
  await pass(200);
  asked();
  told();
  await changed(
    PLACES,
    Array.from({ length: 2000 }, (_, n) => key(n)),
  );
  expect(asked().map((text) => text === 'all')).toEqual([false]);
  await changed(
    PLACES,
    Array.from({ length: 2001 }, (_, n) => key(n)),
  );
  expect([asked(), told()]).toEqual([['all'], []]);
  await pass(200);
  await changed(PLACES, undefined);
  // The table may be followed in another way from now on.
  expect([asked(), told()]).toEqual([['all'], ['asked for sources']]);
});

test('a read that does not follow from its rows one by one is always asked as a whole', async () => {
  const { join, changed, pass, asked } = open({ isByKey: false });
  await join();
  await pass(200);
  asked();
  await changed(PLACES, [key(1)]);
  expect(asked()).toEqual(['all']);
});

test('who comes back is told what it has missed, and nothing else; who has been away too long gets everything', async () => {
  const { table, join, changed, asked } = open();
  const first = await join();
  const id = lastId(first);
  table.set(1, 'Dam');
  await changed(PLACES, [key(1)]);
  asked();
  expect(heard(await join(id))).toBe(row(1, 'Dam') + READY(2));
  // The rows of no key: whether the caller may still read is asked of the database.
  expect(asked()).toEqual(['']);
  expect(heard(await join(lastId(first)))).toBe(READY(2));
  expect(heard(await join('of-another-group-1'))).toContain(RESET('start'));
  // It has seen more than there was.
  expect(heard(await join(id.replace(/-0~/, '-9~')))).toContain(RESET('start'));
});

test('who was told by another copy of the program gets the rows that have changed since', async () => {
  const { state, join, asked } = open();
  const id = `other-3~tag~${START.toString(36)}~9:9:`;
  await join();
  state.log = [
    [PLACES, '[["2"]]'],
    [TOWNS, '[["7"]]'],
    [PLACES, '[["8"],["2"]]'],
  ];
  asked();
  expect(heard(await join(id))).toBe(`${row(2, 'Inn')}event: gone\ndata: {"key":{"id":8}}\n\n${READY(2)}`);
  expect(asked()).toEqual(['all', '2,8']);
  state.log = [];
  expect([heard(await join(id)), asked()]).toEqual([READY(2), ['all']]);
  state.log = [[PLACES, null]];
  expect(heard(await join(id))).toContain(RESET('start'));
  state.log = Array.from({ length: 5001 }, () => [PLACES, '[["1"]]'] as const);
  expect(heard(await join(id))).toContain(RESET('start'));
});

test.each([{ isComplete: false }, { isDecoded: true }, { root: undefined }])(
  'what another copy has told counts for nothing where changes do not tell it all: %j',
  async (sources) => {
    const { state, join } = open();
    state.sources = { ...state.sources, ...sources };
    expect(heard(await join(`other-3~tag~${START.toString(36)}~9:9:`))).toContain(RESET('start'));
  },
);

test('a key that two rows have is none: listeners begin anew, once', async () => {
  const { state, join, pass, changed } = open();
  // As of a view: its rows do not follow from one table.
  state.sources = { ...state.sources, isComplete: false };
  const listener = await join();
  const id = lastId(listener);
  state.keyOf = () => '{"id":1}';
  await pass(200);
  await changed(TOWNS, undefined);
  const anew = heard(listener);
  expect(anew).toContain(RESET('keys-changed'));
  expect(anew).toMatch(/"key":"[\w-]{16}\.1","row":\{"name":"Mill"\}/);
  // What it was told before means nothing any more.
  expect(heard(await join(id))).toContain(RESET('start'));
  heard(listener);
  await pass(200);
  await changed(TOWNS, undefined);
  expect(heard(listener)).toBe('');
});

test('rows that never had a key are told by what they show', async () => {
  const { state, table, join, pass, changed } = open({ isByKey: false });
  state.keyOf = () => null;
  const listener = await join();
  expect(heard(listener)).toMatch(/"key":"[\w-]{16}\.1","row":\{"name":"Mill"\}/);
  table.delete(1);
  await pass(200);
  await changed(PLACES, undefined);
  expect(heard(listener)).toMatch(/^event: gone\ndata: \{"key":"[\w-]{16}\.1"\}\n\n$/);
});

test('trouble of the database that passes is waited for, ever longer, and nothing is forgotten meanwhile', async () => {
  const { state, table, join, pass, changed, asked, told } = open();
  const listener = await join();
  heard(listener);
  asked();
  told();
  state.fails = AWAY;
  table.set(2, 'Pub');
  await changed(PLACES, [key(2)]);
  expect([asked(), told()]).toEqual([['2'], [{ delayed: 'lost' }]]);
  for (const ms of [200, 500, 1000, 2000, 5000, 5000]) {
    await pass(ms - 1);
    expect(asked()).toEqual([]);
    await pass(1);
    expect(asked()).toEqual(['2']);
  }
  state.fails = undefined;
  await pass(5000);
  expect([asked(), heard(listener)]).toEqual([['2'], row(2, 'Pub')]);
  // The next trouble begins from the beginning.
  state.fails = AWAY;
  await changed(TOWNS, undefined);
  state.fails = undefined;
  asked();
  await pass(200);
  expect(asked()).toEqual(['all']);
});

test.each<[DbError, boolean]>([
  [{ kind: 'pool-timeout' } as unknown as DbError, true],
  [{ kind: 'pool-full' } as unknown as DbError, true],
  [{ kind: 'unreachable', fatal: false } as unknown as DbError, true],
  [{ kind: 'unreachable', fatal: true, message: 'x' } as unknown as DbError, false],
  [{ kind: 'sql', sqlstate: '53300', message: 'x' } as unknown as DbError, true],
  [{ kind: 'sql', sqlstate: '57P01', message: 'x' } as unknown as DbError, true],
  [{ kind: 'sql', sqlstate: '42501', message: 'x' } as unknown as DbError, false],
])('%j goes by: %s', async (error, passes) => {
  const { state, join, changed, told } = open();
  const listener = await join();
  heard(listener);
  told();
  state.fails = error;
  await changed(PLACES, [key(2)]);
  expect(told()).toEqual([passes ? { delayed: error.kind } : { ended: error.kind, listeners: 1 }]);
  if (!passes) expect(heard(listener)).toMatch(/^retry: 2000\n\nevent: end\ndata: \{.*\}\n\n$/);
});

test('who cannot be given the rows is told why: the first one ends it, and with it who waits', async () => {
  const { group, state, told } = open();
  state.areSourcesKnown = false;
  const ready = Promise.resolve(ok(undefined));
  expect(await Promise.all([group.join(undefined, ready), group.join(undefined, ready)])).toEqual([
    err(AWAY),
    err(AWAY),
  ]);
  expect([told().at(-1), group.waiting]).toEqual([{ ended: 'lost', listeners: 0 }, 0]);
  expect(await group.join(undefined, ready)).toEqual(err(AWAY));
});

test('where changes cannot be heard of nobody is taken in, and what is missing is named after the rows were read', async () => {
  const { state, group, asked } = open();
  state.sources = { ...state.sources, followable: ['live.towns'], others: ['live.still'] };
  expect(await group.join(undefined, Promise.resolve(err({ kind: 'lost', message: 'x' })))).toMatchObject({
    ok: false,
  });
  expect([group.waiting, asked()]).toEqual([0, []]);
  const joined = await group.join(undefined, Promise.resolve(ok(undefined)));
  const error = err({ kind: 'live-unfollowed', followable: ['live.towns'], others: ['live.still'] });
  expect([joined, asked()]).toEqual([error, ['all']]);
  const other = open();
  other.state.sources = { ...other.state.sources, others: ['live.still'] };
  await expect(other.join()).rejects.toThrow('live-unfollowed');
});

test('is bounded in bytes, in rows, and in those of all groups', async () => {
  const large = open();
  large.state.full = true;
  await expect(large.join()).rejects.toThrow('live-too-large');
  const many = open({ limits: { liveMaxRows: 1 } });
  await expect(many.join()).rejects.toThrow('live-too-many-rows');
  const exact = open({ limits: { liveMaxRows: 2, liveMaxRowsTotal: 2 } });
  await exact.join();
  const total = open();
  total.state.others = 18;
  await total.join();
  total.table.set(3, 'Tower');
  await total.changed(PLACES, [key(3)]);
  expect(total.told().at(-1)).toEqual({ ended: 'live-too-many-rows', listeners: 1 });
  // What it knew counts no more.
  expect(total.state.kept).toBe(0);
  const roomy = open();
  Object.assign(roomy.state, { others: 30, areOthersIdle: true });
  await roomy.join();
});

test('looks again from time to time whether the caller may still read, and at everything where changes do not tell it all', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.75);
  onTestFinished(() => random.mockRestore());
  const { group, state, join, pass, asked, told } = open();
  expect(group.nextCheckAt).toBe(START + 95_000);
  await join();
  await pass(1000);
  asked();
  told();
  group.check();
  await pass();
  expect([asked(), told()]).toEqual([[''], ['asked for sources']]);
  expect(group.nextCheckAt).toBe(Date.now() + 95_000);
  state.sources = { ...state.sources, isComplete: false, isDecoded: true };
  group.check();
  await pass();
  expect(told()).toEqual(['asked for sources', 'waited for decoding']);
  asked();
  group.check();
  await pass();
  expect(asked()).toEqual(['all']);
});

test('that is planned otherwise is read as a whole, and planned alike is looked at', async () => {
  const { group, read, join, pass, asked, told } = open();
  await join();
  await pass(1000);
  asked();
  told();
  group.planned(read('all'));
  await pass();
  expect([asked(), told()]).toEqual([[''], ['asked for sources']]);
  group.planned(read('all of it'));
  await pass();
  expect(asked()).toEqual(['all']);
});

test('says when changes are not heard of as they happen, and when they are again, to who is there and who comes', async () => {
  const { group, state, join } = open();
  group.tellPace();
  const listener = await join();
  heard(listener);
  group.tellPace();
  expect(heard(listener)).toBe('');
  state.isPolled = true;
  group.tellPace();
  group.tellPace();
  expect(heard(listener).match(/event: pace/g)).toHaveLength(1);
  expect(heard(await join())).toMatch(/event: pace\ndata: \{"changes":"polled",.*\}\n\nevent: ready/);
  state.isPolled = false;
  group.tellPace();
  expect(heard(listener)).toBe('event: pace\ndata: {"changes":"heard"}\n\n');
});

test('lets go of who does not read and of who leaves, and says since when nobody is there', async () => {
  const { group, join, pass, told } = open();
  const [slow, other] = [await join(), await join()];
  heard(slow);
  heard(other);
  told();
  await pass(250);
  group.tellAll(Buffer.alloc(900));
  heard(other);
  group.tellAll(Buffer.alloc(900));
  expect([slow.destroyed, other.destroyed, told()]).toEqual([true, false, [{ left: 'too-slow' }]]);
  expect(group.emptySince).toBe(START);
  await pass(250);
  other.destroy();
  await pass();
  expect([told(), group.listeners.size, group.emptySince]).toEqual([[{ left: 'client-left' }], 0, START + 500]);
});

test('ends once, and does nothing from then on', async () => {
  const { group, join, pass, changed, asked, told } = open();
  const listener = await join();
  heard(listener);
  asked();
  told();
  group.end({ kind: 'live-stopping' });
  group.end({ kind: 'live-stopping' });
  await changed(PLACES, [key(1)]);
  await pass(10_000);
  expect([asked(), told()]).toEqual([[], [{ ended: 'live-stopping', listeners: 1 }]]);
});
