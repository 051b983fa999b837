import { expect, test } from 'vitest';
import type { Layer } from '../api/types.ts';
import { looksOf, NO_LOOK, popupOf, withLook } from './presentation.ts';

const layer = {
  attribute_set: [
    { attribute: 'name', attribute_label: 'Name', attribute_type: 'xsd:string', visible: true, format: null },
    {
      attribute: 'rent',
      attribute_label: null,
      attribute_type: 'xsd:double',
      visible: true,
      format: { kind: 'email' },
    },
    { attribute: 'geom', attribute_label: null, attribute_type: 'gml:Point', visible: true, format: null },
  ],
  popup: { title: '{{name}}', columns: null, charts: [] },
  use_featureinfo_custom_template: false,
  featureinfo_custom_template: null,
} as unknown as Layer;

test('columns and pop-up are read out of the record of a layer', () => {
  expect(looksOf(layer)).toEqual([
    { column: 'name', label: 'Name', visible: true, format: undefined },
    { column: 'rent', label: '', visible: true, format: { kind: 'email' } },
  ]);
  expect(popupOf(layer)).toEqual({ kind: 'list', title: '{{name}}', columns: undefined, template: '', charts: [] });
  expect(popupOf({ ...layer, popup: { charts: 'none' } })).toMatchObject({ title: '' });
});

test('a map shows a layer in its own way, and what it does not know as the layer has it', () => {
  const rent = { column: 'rent', label: 'Miete', visible: false, format: { kind: 'number', thousands: true } } as const;
  const popup = { kind: 'template', title: '', columns: ['rent'], template: '<b>', charts: [] } as const;
  const shown = withLook(layer, { columns: [rent], popup });
  expect(looksOf(shown)).toEqual([rent, { column: 'name', label: 'Name', visible: true, format: undefined }]);
  expect(popupOf(shown)).toEqual(popup);
  expect(withLook(layer, NO_LOOK)).toBe(layer);
});
