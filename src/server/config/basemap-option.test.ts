import { expect, test } from 'vitest';
import { rawText } from '../../kernel/options/raw-value.ts';
import { basemapsType } from './basemap-option.ts';

function parse(value: unknown) {
  return basemapsType.parse(rawText(typeof value === 'string' ? value : JSON.stringify(value)));
}

function complaint(value: unknown): string {
  const parsed = parse(value);
  return parsed.ok ? '' : parsed.error;
}

test('a basemap of each type is read with what it need not say', () => {
  const parsed = parse([
    { id: 'a', type: 'style', url: 'https://x.org/style.json', default: true },
    { id: 'b', title: 'Bee', type: 'xyz', url: 'https://x.org/{z}/{x}/{y}.png' },
    { id: 'c', type: 'wmts', url: 'https://x.org/wmts', layer: 'grey' },
    { id: 'd', type: 'wms', url: 'https://x.org/wms', layers: 'ortho', version: '1.1.1' },
  ]);
  expect(parsed.ok && parsed.value.list).toMatchObject([
    { id: 'a', title: 'a', type: 'style', isDefault: true, dark: undefined, attribution: '' },
    {
      id: 'b',
      title: 'Bee',
      type: 'xyz',
      urls: ['https://x.org/{z}/{x}/{y}.png'],
      tileSize: 256,
      minzoom: 0,
      maxzoom: 19,
    },
    { id: 'c', type: 'wmts', style: 'default', matrixSet: 'GoogleMapsCompatible', format: 'image/png' },
    { id: 'd', type: 'wms', layers: 'ortho', styles: '', version: '1.1.1' },
  ]);
});

test('what is printed is read back to the same, and nothing is nothing', () => {
  const text = JSON.stringify([{ id: 'a', type: 'style', url: '/own/style.json' }]);
  const parsed = parse(text);
  expect(parsed.ok && basemapsType.print(parsed.value)).toBe(JSON.stringify(text));
  expect(parse('')).toMatchObject({ ok: true, value: { list: [] } });
});

test('a mistake is told with the number of the basemap and the name of the member', () => {
  const fine = { id: 'a', type: 'style', url: 'https://x.org/style.json' };
  expect(complaint('{')).toBe('is not JSON');
  expect(complaint({})).toBe('is not a list');
  expect(complaint([fine, 1])).toBe('basemap 2: is not an object');
  expect(complaint([fine, fine])).toBe('basemap 2: another one has the same id');
  expect(complaint([{ ...fine, id: 'A b' }])).toMatch(/^basemap 1: id must/);
  expect(complaint([{ ...fine, id: 'world' }])).toMatch(/packaged/);
  expect(complaint([{ ...fine, type: 'tms' }])).toMatch(/type must be one of style, xyz, wmts, wms, pmtiles/);
  expect(complaint([{ ...fine, colour: 1 }])).toMatch(/there is no "colour"/);
  expect(complaint([{ ...fine, type: 'xyz' }])).toMatch(/must hold \{z\}/);
  expect(complaint([{ ...fine, type: 'wms' }])).toMatch(/layers is missing/);
  expect(complaint([{ id: 'p', type: 'pmtiles' }])).toMatch(/one of path, key and url is needed/);
  expect(complaint([{ id: 'p', type: 'pmtiles', key: '../secret' }])).toMatch(/key must have/);
  expect(
    complaint([
      { ...fine, default: true },
      { ...fine, id: 'b', default: true },
    ]),
  ).toMatch(/only one/);
  expect(complaint(Array.from({ length: 51 }, (_, i) => ({ ...fine, id: `m${i}` })))).toMatch(/more than 50/);
});

test('an address that would change the content policy of the pages is refused', () => {
  for (const url of [
    'https://x.org; script-src *',
    'javascript:alert(1)',
    '//x.org/a',
    'https://me:secret@x.org/',
    'https://x.org\n/a',
    'ftp://x.org/',
  ])
    expect(complaint([{ id: 'a', type: 'style', url }])).toMatch(/url must be an http or https address/);
});
