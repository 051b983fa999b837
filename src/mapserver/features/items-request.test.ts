import { describe, expect, test } from 'vitest';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { MAX_LIMIT, parseBbox, parseItemsRequest, parseWhen, type Query } from './items-request.ts';

const column = (name: string, type: string) => ({
  name,
  type,
  label: null,
  description: null,
  nullable: true,
  hasDefault: false,
  generated: false,
});
const LAYER = {
  primaryKey: 'fid',
  columns: [column('fid', 'integer'), column('name', 'text'), column('height', 'integer'), column('raw', 'bytea')],
} as unknown as VectorLayer;

describe('the query of items', () => {
  test.each([
    [{}, { limit: 1000, offset: 0, hasGeometry: true, order: [] }],
    [{ limit: '5' }, { limit: 5 }],
    [{ limit: '99999999' }, { limit: MAX_LIMIT }],
    [{ bbox: '1,2,3,4' }, { bbox: [1, 2, 3, 4] }],
    [{ bbox: '1,2,0,3,4,9' }, { bbox: [1, 2, 3, 4] }],
    [
      { sortby: '-height,name' },
      {
        order: [
          { column: 'height', isDown: true },
          { column: 'name', isDown: false },
        ],
      },
    ],
    [{ sortby: '+height' }, { order: [{ column: 'height', isDown: false }] }],
    [{ name: 'x' }, { filter: { kind: 'compare', op: '=' } }],
    [{ name: 'x', filter: 'height = 1' }, { filter: { kind: 'and' } }],
    [{ filter: '{"op":"=","args":[{"property":"a"},1]}' }, { filter: { kind: 'compare' } }],
    [{ sortby: Array(20).fill('name').join() }, { order: Array(20).fill({ column: 'name', isDown: false }) }],
    [{ properties: 'name,fid' }, { properties: ['name', 'fid'] }],
  ])('%j', (query, value) => {
    expect(parseItemsRequest(query, LAYER)).toMatchObject({ ok: true, value });
  });

  test.each<Query>([
    { limit: '0' },
    { sortby: Array(21).fill('name').join() },
    { limit: '-1' },
    { limit: '1.5' },
    { limit: 'abc' },
    { limit: '1e3' },
    { limit: ['1', '2'] },
    { bbox: '1,2,3' },
    { bbox: '1,2,3,NaN' },
    { bbox: '1,2,3,Infinity' },
    { bbox: '1,2,3,1e999' },
    { bbox: '1,9,3,4' },
    { datetime: 'yesterday' },
    { datetime: '2020-01-01/2019-01-01' },
    { nothing: '1' },
    { raw: '1' },
    { properties: 'nothing' },
    { sortby: 'nothing' },
    { sortby: 'raw' },
    { filter: 'name =' },
    { filter: 'name = 1', 'filter-lang': 'sql' },
    { after: '5', sortby: 'name' },
    { skipGeometry: 'perhaps' },
    { __proto__: null, constructor: 'x' },
  ])('%j is refused', (query) => {
    expect(parseItemsRequest(query, LAYER)).toMatchObject({ ok: false, error: { kind: 'bad-request' } });
  });
});

test.each([
  ['170,-10,-170,10', [170, -10, -170, 10]],
  ['-1e308,-1e308,1e308,1e308', [-1e308, -1e308, 1e308, 1e308]],
  ['1,2,3,4,5', undefined],
  ['', undefined],
  ['0x1,2,3,4', undefined],
])('bbox %s', (text, box) => {
  expect(parseBbox(text)).toEqual(box);
});

test.each([
  ['2020-01-01', { kind: 'instant', at: '2020-01-01' }],
  ['2020-01-01T00:00:00Z/..', { kind: 'interval', from: '2020-01-01T00:00:00Z', to: undefined }],
  ['/2020-01-01', { kind: 'interval', from: undefined, to: '2020-01-01' }],
  // As GDAL 3.6 writes them.
  ['2020-01-01T', { kind: 'instant', at: '2020-01-01' }],
  ['2020-01-01T/2020-01-02T', { kind: 'interval', from: '2020-01-01', to: '2020-01-02' }],
  ['2020-01-01T12Z', { kind: 'interval', from: '2020-01-01T12:00:00Z', to: '2020-01-01T12:59:59.999999Z' }],
  ['../2020-01-01T12:30Z', { kind: 'interval', from: undefined, to: '2020-01-01T12:30:59.999999Z' }],
  ['2020-01-01T25Z', undefined],
  ['../..', undefined],
  ['a/b/c', undefined],
  ['2020-13-01', undefined],
])('datetime %s', (text, when) => {
  expect(parseWhen(text)).toEqual(when);
});
