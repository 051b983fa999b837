import { expect, test } from 'vitest';
import { type OptionTable, option } from './option.ts';
import { applyReload } from './reload.ts';
import { filledList } from './types/list.ts';
import { wholeNumber } from './types/whole-number.ts';

type Config = { readonly port: number; readonly names: readonly string[]; readonly extra: ReadonlyMap<string, string> };

const common = { section: 'All', doc: 'A setting.' };
const table: OptionTable<Config> = {
  port: option({ ...common, name: 'port', type: wholeNumber({ min: 0 }), default: 1, reloadable: false }),
  names: option({ ...common, name: 'names', type: filledList({ accepts: 'names' }), default: ['a'] }),
  extra: {
    kind: 'family',
    prefix: 'app.x.',
    section: 'All',
    doc: '',
    reloadable: true,
    example: '',
    member: { pattern: /./, accepts: '' },
  },
};

const before: Config = { port: 1, names: ['a', 'b'], extra: new Map([['app.x.a', '1']]) };

test('what needs a restart keeps its value and is said to be pending; the rest changes', () => {
  const after: Config = { port: 2, names: ['a', 'c'], extra: new Map([['app.x.a', '2']]) };
  expect(applyReload(table, before, after)).toEqual({
    config: { ...after, port: 1 },
    changed: ['names', 'app.x.*'],
    pending: ['port'],
  });
});

test('values that are equal but not the same object are no change', () => {
  const again: Config = { port: 1, names: ['a', 'b'], extra: new Map([['app.x.a', '1']]) };
  const reloaded = applyReload(table, before, again);
  expect(reloaded).toEqual({ config: before, changed: [], pending: [] });
  expect(reloaded.config.names).toBe(before.names);
});
