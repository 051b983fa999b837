import { expect, test } from 'vitest';
import { fillHtml, fillText } from './fill-template.ts';
import { columnLooksData, parseColumnLooks, parsePopup, popupData, USUAL_POPUP } from './presentation.ts';

const words = { language: 'en', yes: 'yes', no: 'no' };
const columns = [
  { name: 'name', format: undefined },
  { name: 'people', format: { kind: 'number', thousands: true } as const },
  { name: 'site', format: { kind: 'link', text: 'Site' } as const },
];

test('columns are read as they are written, each once', () => {
  const looks = parseColumnLooks([
    { column: 'a', label: ' Area ', visible: false, format: { kind: 'number', decimals: 1 } },
    { column: 'b' },
  ]);
  expect(looks.ok && columnLooksData(looks.value)).toEqual([
    { column: 'a', label: 'Area', visible: false, format: { kind: 'number', decimals: 1, thousands: true } },
    { column: 'b', label: '', visible: true, format: null },
  ]);
  expect(parseColumnLooks([{ column: 'a' }, { column: 'a' }])).toMatchObject({ ok: false });
});

test.each([
  ['no list', {}],
  ['no name', [{ label: 'A' }]],
  ['a long label', [{ column: 'a', label: 'x'.repeat(256) }]],
  ['an unknown format', [{ column: 'a', format: { kind: 'colour' } }]],
  ['too many', Array.from({ length: 1601 }, (_, i) => ({ column: `c${i}` }))],
])('columns with %s are refused', (_, value) => {
  expect(parseColumnLooks(value).ok).toBe(false);
});

test('a pop-up is read as it is written', () => {
  const popup = {
    kind: 'template',
    title: '{{name}}',
    columns: ['name'],
    template: '<b>{{name}}</b>',
    charts: [{ kind: 'pie', title: '', columns: ['people'] }],
  };
  const parsed = parsePopup(popup);
  expect(parsed.ok && popupData(parsed.value)).toEqual(popup);
  expect(parsePopup({})).toEqual({ ok: true, value: USUAL_POPUP });
});

test.each([
  [null],
  [{ kind: 'card' }],
  [{ columns: 'name' }],
  [{ charts: [{ kind: 'line', columns: [] }] }],
  [{ charts: Array.from({ length: 11 }, () => ({ kind: 'bar', columns: ['a'] })) }],
  [{ template: 'x'.repeat(100_001) }],
])('the pop-up %j is refused', (popup) => {
  expect(parsePopup(popup).ok).toBe(false);
});

test('placeholders become values as their columns show them, and as they are inside of tags', () => {
  const row = { name: '<Rome> & co', people: 12345, site: 'https://a.example' };
  expect(
    fillHtml('<b>{{name}}</b> {{ people }} <a href="/x/{{people}}">…</a> {{site}} {{gone}}!', row, columns, words),
  ).toBe('<b>&#60;Rome&#62; &#38; co</b> 12,345 <a href="/x/12345">…</a> <a href="https://a.example">Site</a> !');
  expect(fillText('{{name}}: {{people}}', row, columns, words)).toBe('<Rome> & co: 12,345');
});

test('templates that were written for GeoNode are filled, too', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one of theirs.
  expect(fillHtml("${properties.people} ${properties['name']}", { people: 1, name: 'A' }, columns, words)).toBe('1 A');
});

test('no value opens a tag or ends one', () => {
  const row = { name: '"><script>alert(1)</script>' };
  expect(fillHtml('<a title="{{name}}">{{name}}</a>', row, columns, words)).not.toContain('<script');
});
