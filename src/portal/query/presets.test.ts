import { expect, test } from 'vitest';
import { withPresets } from './presets.ts';

const NONE = new Map();
const fields = (query: string, name: string): readonly string[] => new URLSearchParams(query).getAll(name);

test('a query without a preset stays as it is', () => {
  expect(withPresets('page=2&include[]=data', NONE)).toBe('page=2&include[]=data');
});

test('a preset stands for the fields that are included and excluded, beside those that are named', () => {
  const query = withPresets('include[]=uuid&api_preset=map_list', NONE);
  expect(fields(query, 'exclude[]')).toEqual(['*']);
  expect(fields(query, 'include[]')).toEqual(expect.arrayContaining(['uuid', 'pk', 'data', 'thumbnail_url']));
});

test.each(['api_preset=viewer_common&api_preset=map_viewer', 'api_preset[]=viewer_common&api_preset[]=map_viewer'])(
  'several are added up: %s',
  (asked) => {
    const query = withPresets(asked, NONE);
    expect(fields(query, 'exclude[]')).toEqual(['*']);
    expect(fields(query, 'include[]')).toEqual(expect.arrayContaining(['uuid', 'data', 'maplayers']));
  },
);

test('unknown ones are passed over, and those behind them still count', () => {
  const query = withPresets('api_preset=nonsense&api_preset=map_details', NONE);
  expect(fields(query, 'include[]')).toEqual(['maplayers']);
});

test('the operator adds presets, and replaces packaged ones', () => {
  const own = new Map([
    ['short', { include: ['pk', 'title'], exclude: ['*'] }],
    ['map_list', { include: [], exclude: ['abstract'] }],
  ]);
  expect(withPresets('api_preset=short', own)).toBe('api_preset=short&include[]=pk&include[]=title&exclude[]=*');
  expect(withPresets('api_preset=map_list', own)).toBe('api_preset=map_list&exclude[]=abstract');
});
