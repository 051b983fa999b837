import { describe, expect, test } from 'vitest';
import { type Action, chooseAction, parsePath, type Target } from './action.ts';

const open = { openapiMode: 'follow-privileges', dbRootSpec: undefined } as const;
const relation = (name: string): Target => ({ kind: 'relation', name });
const routine = (name: string): Target => ({ kind: 'routine', name });

describe('paths', () => {
  test.each<[string, Target]>([
    ['/', { kind: 'root' }],
    ['', { kind: 'root' }],
    ['/items', relation('items')],
    ['items', relation('items')],
    ['/Escap3e;', relation('Escap3e;')],
    ['/do$llar$s', relation('do$llar$s')],
    ['/Server%20Today', relation('Server Today')],
    ['/a+b', relation('a+b')],
    ['/%D9%85%D9%88%D8%A7%D8%B1%D8%AF', relation('موارد')],
    ['/a%2Fb', relation('a/b')],
    ['/100%', relation('100%')],
    ['/rpc', relation('rpc')],
    ['/rpc/add_them', routine('add_them')],
    ['/rpc/', routine('')],
    ['/%72pc/f', routine('f')],
    ['/rpc/two%20words', routine('two words')],
  ])('%s', (path, target) => {
    expect(parsePath(path, open)).toEqual({ ok: true, value: target });
  });

  test.each([
    '/items/',
    '//',
    '///',
    '/first/second/third',
    '/first/second',
    '/rpc/f/',
    '/rpc//f',
    '/RPC/f',
    '//rpc/f',
  ])('%s is none', (path) => {
    expect(parsePath(path, open)).toEqual({ ok: false, error: { kind: 'path-invalid' } });
  });

  test('the root is closed when the description is', () => {
    const closed = { openapiMode: 'disabled', dbRootSpec: 'api.root' } as const;
    expect(parsePath('/', closed)).toEqual({ ok: false, error: { kind: 'root-disabled' } });
    expect(parsePath('/items', closed)).toEqual({ ok: true, value: relation('items') });
  });

  test.each([
    ['root', 'root'],
    ['api.root', 'root'],
    ['"api"."my.root"', 'my.root'],
    ['api."ro""ot"', 'ro"ot'],
  ])('the root is the function %s when one is configured', (dbRootSpec, name) => {
    expect(parsePath('/', { ...open, dbRootSpec })).toEqual({ ok: true, value: routine(name) });
  });
});

describe('methods', () => {
  const info: Action = { kind: 'info' };
  const table: Record<string, Partial<Record<Target['kind'], Action>>> = {
    GET: {
      relation: { kind: 'read', headOnly: false },
      routine: { kind: 'call', by: 'get' },
      root: { kind: 'describe', headOnly: false },
    },
    HEAD: {
      relation: { kind: 'read', headOnly: true },
      routine: { kind: 'call', by: 'head' },
      root: { kind: 'describe', headOnly: true },
    },
    POST: { relation: { kind: 'insert' }, routine: { kind: 'call', by: 'post' } },
    PUT: { relation: { kind: 'upsert-one' } },
    PATCH: { relation: { kind: 'update' } },
    DELETE: { relation: { kind: 'delete' } },
    OPTIONS: { relation: info, routine: info, root: info },
    TRACE: {},
    CONNECT: {},
    get: {},
    __proto__x: {},
  };
  const targets: Target[] = [relation('x'), routine('x'), { kind: 'root' }];

  test.each(Object.entries(table))('%s', (method, actions) => {
    for (const target of targets) {
      const action = actions[target.kind];
      const refused =
        target.kind === 'routine'
          ? { kind: 'method-not-for-routines', method }
          : { kind: 'method-not-supported', method, on: target.kind };
      expect(chooseAction(method, target)).toEqual(
        action ? { ok: true, value: action } : { ok: false, error: refused },
      );
    }
  });
});
