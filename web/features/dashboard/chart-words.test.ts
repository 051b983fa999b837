import { expect, test } from 'vitest';
import type { Layer } from '../../api/types.ts';
import { makeText } from '../../lib/i18n/text.ts';
import { columnWords, groupText, selectionText } from './chart-words.ts';

const attribute = (name: string, type: string, label: string | null, format: unknown = null) => ({
  attribute: name,
  attribute_label: label,
  attribute_type: `xsd:${type}`,
  visible: true,
  format,
});
const layer = {
  attribute_set: [
    attribute('rent', 'double', 'Rent per month', { kind: 'currency', currency: 'EUR', decimals: 0 }),
    attribute('state', 'int', 'Condition'),
    attribute('lift', 'boolean', null),
    attribute('kind', 'string', null),
  ],
} as unknown as Layer;
const t = makeText('en');
const words = columnWords(t, layer, new Map([['state', new Map([['1', 'gut']])]]));

test('columns and values are said as the layer has them said: names, formats, and what codes are called', () => {
  const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
  expect(words.label('rent')).toBe('Rent per month');
  expect(words.label('nothing')).toBe('nothing');
  expect(plain(words.value('rent', 1200))).toBe('€1,200');
  expect([words.value('state', 1), words.value('state', 2)]).toEqual(['gut', '2']);
  expect([words.value('lift', 'true'), words.value('kind', 'flat')]).toEqual(['Yes', 'flat']);
  expect(words.value('rent', null)).toBe(t('dash.no-value'));
  expect(
    plain(
      groupText(
        t,
        words,
        { column: 'rent', across: undefined },
        'histogram',
        { from: 0, to: 500, count: 1 } as never,
        undefined,
      ),
    ),
  ).toBe('€0 – €500');
  expect(selectionText(t, words, { kind: 'values', column: 'state', values: [1, null] })).toBe(
    `Condition: gut, ${t('dash.no-value')}`,
  );
  expect(
    plain(selectionText(t, words, { kind: 'span', column: 'rent', from: 500, to: undefined, isOpen: false })),
  ).toBe('Rent per month ≥ €500');
  // A layer that is not known yet, or not seen.
  expect(selectionText(t, columnWords(t, undefined, new Map()), { kind: 'text', column: 'kind', text: 'a' })).toBe(
    'kind: “a”',
  );
});
