import { describe, expect, test } from 'vitest';
import { err, ok } from '../result.ts';
import type { Naming, Sources } from './collect.ts';
import { describeError, describeErrors } from './config-error.ts';
import { describeNotice } from './config-notice.ts';
import { type Check, load } from './load.ts';
import { type OptionTable, option } from './option.ts';
import type { Given } from './origin.ts';
import { rawText } from './raw-value.ts';
import type { ReadText } from './read-text.ts';
import { filledList, listOrNone } from './types/list.ts';
import { optional } from './types/optional.ts';
import { text } from './types/text.ts';
import { truth } from './types/truth.ts';
import { wholeNumber } from './types/whole-number.ts';

type Config = {
  readonly size: number;
  readonly names: readonly string[];
  readonly path: readonly string[];
  readonly idle: number;
  readonly secret: string | undefined;
  readonly loud: boolean;
  readonly extra: ReadonlyMap<string, string>;
};

const common = { section: 'All', doc: 'A setting.' };

const table: OptionTable<Config> = {
  size: option({
    ...common,
    name: 'pool-size',
    aliases: ['size'],
    type: wholeNumber({ min: 1, max: 99 }),
    default: 10,
    inDatabase: true,
  }),
  names: option({ ...common, name: 'names', type: filledList({ accepts: 'names' }), default: ['a'], inDatabase: true }),
  path: option({ ...common, name: 'extra-path', type: listOrNone({ accepts: 'names or none' }), default: ['public'] }),
  idle: option({
    ...common,
    name: 'max-idle',
    aliases: ['idle'],
    aliasWins: true,
    type: wholeNumber({ min: 1 }),
    default: 30,
  }),
  secret: option({
    ...common,
    name: 'secret',
    type: optional(
      text({ accepts: 'eight characters', complaint: (s) => (s.length < 8 ? 'is too short' : undefined) }),
    ),
    default: undefined,
    secret: true,
    fileReference: true,
  }),
  loud: option({ ...common, name: 'loud', type: truth, default: false }),
  extra: {
    kind: 'family',
    prefix: 'app.x.',
    section: 'All',
    doc: 'Anything.',
    reloadable: true,
    example: 'a = "b"',
    member: { pattern: /^[a-z_]+$/, accepts: 'letters' },
  },
};

const naming: Naming = { ownPrefix: 'OWN_', otherPrefix: 'OLD_', databasePrefix: 'pg.', foreign: new Set(['bygone']) };

const FILES: Readonly<Record<string, string>> = { '/s': 'from the file\n', '/two': 'two newlines\n\n' };
const readText: ReadText = async (path) => {
  const found = FILES[path];
  return found === undefined ? err('missing') : ok(found);
};

const arg = (name: string, value: string): Given => ({
  name,
  value: rawText(value),
  origin: { kind: 'argument', flag: `--${name}` },
});
const db = (setting: string, value: string): Given => ({
  name: setting,
  value: rawText(value),
  origin: { kind: 'database', setting, by: 'role' },
});
let line = 0;
const inFile = (name: string, value: string, path = 'x.conf'): Given => ({
  name,
  value: rawText(value),
  origin: { kind: 'file', place: { path, line: ++line, column: 1 } },
});

async function run(sources: Partial<Sources>, checks: readonly Check<Config>[] = []) {
  return load({ table, naming, checks, readText, sources: { args: [], env: {}, file: [], database: [], ...sources } });
}

async function loaded(sources: Partial<Sources>) {
  const result = await run(sources);
  if (!result.ok) throw new Error(describeErrors(result.error));
  return result.value;
}

async function mistakes(sources: Partial<Sources>, checks: readonly Check<Config>[] = []): Promise<readonly string[]> {
  const result = await run(sources, checks);
  return result.ok ? [] : result.error.map(describeError);
}

test('nothing given leaves every option at its default', async () => {
  const { config, origins } = await loaded({});
  expect(config).toEqual({
    size: 10,
    names: ['a'],
    path: ['public'],
    idle: 30,
    secret: undefined,
    loud: false,
    extra: new Map(),
  });
  expect(origins.size).toBe(0);
});

describe('precedence', () => {
  const every: Partial<Sources> = {
    args: [arg('pool-size', '1')],
    database: [db('pg.pool_size', '2')],
    env: { OWN_POOL_SIZE: '3', OLD_POOL_SIZE: '4' },
    file: [inFile('pool-size', '5')],
  };
  test.each([
    ['the command line over everything', every, 1],
    ['the database over the environment', { ...every, args: [] }, 2],
    ['the own variable over the other', { ...every, args: [], database: [] }, 3],
    ['the other variable over the file', { ...every, args: [], database: [], env: { OLD_POOL_SIZE: '4' } }, 4],
    ['the file over the default', { file: every.file ?? [] }, 5],
    ['the own variable by an alias over the file', { env: { OWN_SIZE: '6' }, file: [inFile('pool-size', '5')] }, 6],
    ['the own variable by an alias over the other by its name', { env: { OWN_SIZE: '6', OLD_POOL_SIZE: '7' } }, 6],
    ['an empty own variable leaves the other one standing', { env: { OWN_POOL_SIZE: '', OLD_POOL_SIZE: '4' } }, 4],
    [
      'an empty variable puts the setting of the file back to its default',
      { env: { OWN_POOL_SIZE: '' }, file: [inFile('pool-size', '5')] },
      10,
    ],
    ['the last of two lines', { file: [inFile('pool-size', '5'), inFile('pool-size', '6')] }, 6],
    ['the name over its alias, wherever it stands', { file: [inFile('pool-size', '5'), inFile('size', '6')] }, 5],
  ] satisfies [string, Partial<Sources>, number][])('%s', async (_, sources, expected) => {
    expect((await loaded(sources)).config.size).toBe(expected);
  });

  test('one alias wins over its name', async () => {
    expect((await loaded({ file: [inFile('idle', '5'), inFile('max-idle', '6')] })).config.idle).toBe(5);
  });

  test('an empty text is a value where the option says so, also in the own variable', async () => {
    expect((await loaded({ env: { OWN_EXTRA_PATH: '', OLD_EXTRA_PATH: 'x' } })).config.path).toEqual([]);
  });

  test('members of a family are merged by name, whatever its case, each from its strongest source', async () => {
    const { config } = await loaded({
      env: { OLD_APP_X_A: 'old', OWN_APP_X_A: 'own', OLD_APP_X_B: 'old' },
      file: [inFile('app.x.A', 'file'), inFile('app.x.c', 'file'), inFile('app.x.b', 'file')],
    });
    expect([...config.extra]).toEqual([
      ['app.x.a', 'own'],
      ['app.x.b', 'old'],
      ['app.x.c', 'file'],
    ]);
  });
});

describe('references to files', () => {
  test.each([
    ['@/s', 'from the file'],
    ['@/two', 'two newlines\n'],
    ['@@literally', '@literally'],
    ['no reference@/s', 'no reference@/s'],
  ])('%s is %j', async (given, expected) => {
    expect((await loaded({ env: { OWN_SECRET: given } })).config.secret).toBe(expected);
  });

  test('only options that allow it follow one', async () => {
    expect((await loaded({ file: [inFile('names', '@/s')] })).config.names).toEqual(['@/s']);
  });

  test('a broken one in a source that lost harms nobody', async () => {
    const { config } = await loaded({ env: { OWN_SECRET: 'long enough' }, file: [inFile('secret', '@/nowhere')] });
    expect(config.secret).toBe('long enough');
  });

  test('a broken one is a mistake that does not repeat the path, which may be a secret', async () => {
    const [told] = await mistakes({ env: { OWN_SECRET: '@hunter2hunter2' } });
    expect(told).toBe(
      'secret: the file named after the @ does not exist\n' +
        '  given: environment variable OWN_SECRET\n' +
        '  accepts: the value itself, @ and the path of a file that holds it, or @@ for a value that begins with @',
    );
    expect(await mistakes({ env: { OWN_SECRET: '@' } })).toHaveLength(1);
  });
});

describe('mistakes', () => {
  test('all are told at once, each with its place, its value and what would be right', async () => {
    line = 0;
    expect(
      await mistakes({
        args: [arg('pool-size', 'many')],
        env: { OWN_LOUD: 'very', OWN_POOL_SIZ: '1', PATH: '/bin' },
        file: [inFile('nmaes', 'a'), inFile('names', ',')],
        database: [],
      }),
    ).toEqual([
      'OWN_POOL_SIZ: there is no such setting\n  given: environment variable OWN_POOL_SIZ\n  did you mean: OWN_POOL_SIZE',
      'nmaes: there is no such setting\n  given: x.conf, line 1, column 1\n  did you mean: names',
      'pool-size: is not a whole number\n  given: "many" (command line, --pool-size)\n  accepts: a whole number from 1 to 99',
      'names: names nothing\n  given: "," (x.conf, line 2, column 1)\n  accepts: names',
      'loud: is neither true nor false\n  given: "very" (environment variable OWN_LOUD)\n  accepts: true, false, on, off, 1 or 0',
    ]);
  });

  test('the value of a secret and of a family is not in them', async () => {
    const told = await mistakes({
      env: { OWN_SECRET: 'hunter2', OWN_APP_X_1: 'hunter2' },
      file: [inFile('app.x.b-c', 'hunter2'), inFile('app.x.d', 'hunter2\0')],
    });
    expect(told).toHaveLength(4);
    expect(told.join()).not.toContain('hunter2');
  });

  test('a hostile value is shown cut and on one line', async () => {
    const [told = ''] = await mistakes({ env: { OWN_POOL_SIZE: `\n\u001b[2J${'x'.repeat(5000)}` } });
    expect(told.split('\n')).toHaveLength(3);
    expect(told).toContain('"\\n\\u001b[2Jxxx');
    expect(told.length).toBeLessThan(300);
  });

  test('names of the object prototype are unknown like any other', async () => {
    expect(await mistakes({ file: [inFile('constructor', '1'), inFile('__proto__', '1')] })).toHaveLength(2);
  });

  const even: Check<Config> = (config) =>
    config.size === config.idle
      ? [{ option: 'pool-size', involves: ['max-idle'], complaint: 'pool-size cannot be max-idle', accepts: 'another' }]
      : [];

  test('settings that clash are one of them', async () => {
    expect(await mistakes({ env: { OWN_POOL_SIZE: '7', OWN_MAX_IDLE: '7' } }, [even])).toEqual([
      'pool-size: pool-size cannot be max-idle\n  given: "7" (environment variable OWN_POOL_SIZE)\n  accepts: another',
    ]);
    expect(await mistakes({ env: { OWN_MAX_IDLE: '10' } }, [even])).toEqual([
      'pool-size: pool-size cannot be max-idle\n  given: 10 (the default)\n  accepts: another',
    ]);
  });

  test('a clash with a malformed setting is not told: its default did not clash', async () => {
    expect(await mistakes({ env: { OWN_POOL_SIZE: '30', OWN_MAX_IDLE: 'x' } }, [even])).toHaveLength(1);
  });

  test('the words for several begin with their number', () => {
    expect(describeErrors([{ kind: 'file-unreadable', path: 'a.conf', reason: 'denied', importedAt: undefined }])).toBe(
      '1 mistake in the settings, nothing was started:\n\na.conf: the configuration file may not be read by this user\n',
    );
  });
});

describe('notices', () => {
  const told = async (sources: Partial<Sources>): Promise<readonly string[]> =>
    (await loaded(sources)).notices.map(describeNotice);

  test('a foreign setting of a file, and an unknown variable with the other prefix, are only noticed', async () => {
    line = 0;
    expect(await told({ file: [inFile('bygone', '1')], env: { OLD_NAMSE: 'x', OLD_ZZZZ: 'x' } })).toEqual([
      'OLD_NAMSE is not a known setting and is ignored (environment variable OLD_NAMSE); did you mean OLD_NAMES?',
      'OLD_ZZZZ is not a known setting and is ignored (environment variable OLD_ZZZZ)',
      'bygone has no meaning here and is ignored (x.conf, line 1, column 1)',
    ]);
  });

  test('what the database may not set, or does not know, is ignored and noticed', async () => {
    expect(await told({ database: [db('pg.loud', 'true'), db('pg.name', 'x'), db('pg.size', '3')] })).toEqual([
      'loud cannot be set in the database (database setting pg.loud of the connecting role is ignored)',
      'pg.name is not a known setting and is ignored (database setting pg.name of the connecting role); did you mean pg.names?',
      'pg.size is not a known setting and is ignored (database setting pg.size of the connecting role); did you mean pg.pool_size?',
    ]);
  });

  test('two names of one setting in the environment are noticed, two prefixes are not', async () => {
    expect(await told({ env: { OWN_SIZE: '1', OWN_POOL_SIZE: '2', OLD_SIZE: '3' } })).toEqual([
      'pool-size is given twice: environment variable OWN_POOL_SIZE is used, environment variable OWN_SIZE is not',
    ]);
    expect(await told({ env: { OWN_SIZE: '1', OLD_SIZE: '3' } })).toEqual([]);
  });

  test('a setting given twice in one file is noticed, an import that is overridden is not', async () => {
    line = 0;
    expect(await told({ file: [inFile('loud', 'on'), inFile('loud', 'off')] })).toEqual([
      'loud is given twice: x.conf, line 2, column 1 is used, x.conf, line 1, column 1 is not',
    ]);
    expect(await told({ file: [inFile('loud', 'on', 'base.conf'), inFile('loud', 'off')] })).toEqual([]);
  });
});

test('every option that is not at its default says where it came from', async () => {
  const { origins } = await loaded({ env: { OLD_LOUD: 'on', OWN_APP_X_A: '1', OWN_NAMES: '' } });
  expect([...origins.keys()].sort()).toEqual(['app.x.a', 'loud']);
});
