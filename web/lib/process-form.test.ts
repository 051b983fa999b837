import { expect, test } from 'vitest';
import { formInputs, isComplete, sentInputs, withoutChoices } from './process-form.ts';

const described = (kind: string, more: object = {}, schema: object = {}, minOccurs = 1) => ({
  title: kind,
  description: '',
  minOccurs,
  schema: { ...schema },
  'x-survest': { kind, ...more },
});

const INPUTS = formInputs({
  layer: described('layer', { geometry: ['point'] }),
  distance: described('number', {}, { minimum: 0, maximum: 10 }),
  what: described('choice', {}, { enum: ['count', 'nearest'] }, 0),
  column: described('column', { of: 'layer', number: true }, {}, 0),
  inside: described('flag', {}, {}, 0),
  raster: described('raster', {}, {}, 0),
  band: described('band', { of: 'raster' }, {}, 0),
  later: described('hologram'),
});

test('the questions of a form are those of the description; kinds that are not known are left out', () => {
  expect(INPUTS.map(({ name, kind }) => [name, kind])).toEqual([
    ['layer', 'layer'],
    ['distance', 'number'],
    ['what', 'choice'],
    ['column', 'column'],
    ['inside', 'flag'],
    ['raster', 'raster'],
    ['band', 'band'],
  ]);
  expect(INPUTS[1]).toMatchObject({ minimum: 0, maximum: 10, isOptional: false });
  expect(INPUTS[3]).toMatchObject({ of: 'layer', isNumber: true, isOptional: true });
});

test('numbers are sent as numbers, and what nobody has filled in is not sent', () => {
  expect(sentInputs(INPUTS, { layer: '12', distance: '2.5', what: '', inside: false, raster: '7', band: '2' })).toEqual(
    {
      layer: 12,
      distance: 2.5,
      raster: 7,
      band: 2,
    },
  );
  expect(sentInputs(formInputs({ layers: described('layers') }), { layers: ['1', '2'] })).toEqual({ layers: [1, 2] });
});

test('another layer has other columns and bands', () => {
  expect(withoutChoices(INPUTS, 'layer')).toEqual({ column: undefined });
  expect(withoutChoices(INPUTS, 'raster')).toEqual({ band: undefined });
  expect(withoutChoices(INPUTS, 'distance')).toEqual({});
});

test('a form is complete when everything is answered that has to be', () => {
  expect(isComplete(INPUTS, { layer: '12' })).toBe(false);
  expect(isComplete(INPUTS, { layer: '12', distance: 'far' })).toBe(false);
  expect(isComplete(INPUTS, { layer: '12', distance: '0' })).toBe(true);
  expect(isComplete(formInputs({ layers: described('layers') }), { layers: ['1'] })).toBe(false);
});
