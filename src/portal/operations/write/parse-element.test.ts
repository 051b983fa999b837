import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { geostory } from '../../kinds/app/fields.ts';
import { map } from '../../kinds/map/fields.ts';
import { group } from '../../kinds/people/group-fields.ts';
import { user } from '../../kinds/people/user-fields.ts';
import { bodyForm } from './body-forms.ts';
import { isTooDeep } from './json-depth.ts';
import { elementId, parseElement, unknownField } from './parse-element.ts';

/** What the database would be given, by field. */
function draft(element: Record<string, unknown>, recordType = map): unknown {
  const parsed = parseElement(recordType, element, 'change', true);
  if (!parsed.ok) return parsed.error;
  return Object.fromEntries(
    [...parsed.value].map(([field, given]) => [field.name, given.kind === 'value' ? given.text : given.to]),
  );
}

const whole = { title: 'T', zoom: 1, projection: 'EPSG:3857', center_x: 0, center_y: 0 };

describe('an element', () => {
  test('needs what is required to be created or replaced, and nothing to be changed', () => {
    const missing = {
      title: ['This field is required.'],
      zoom: ['This field is required.'],
      projection: ['This field is required.'],
      center_x: ['This field is required.'],
      center_y: ['This field is required.'],
    };
    expect(parseElement(map, {}, 'create')).toEqual({ ok: false, error: missing });
    expect(parseElement(map, {}, 'replace')).toEqual({ ok: false, error: missing });
    expect(parseElement(map, {}, 'change')).toMatchObject({ ok: true });
    expect(parseElement(map, whole, 'create')).toMatchObject({ ok: true });
  });

  test.each<[Record<string, unknown>, unknown]>([
    [{ title: '  Rivers  ' }, { title: 'Rivers' }],
    [{ title: 5 }, { title: '5' }],
    [{ title: '' }, { title: ['This field may not be blank.'] }],
    [{ title: null }, { title: ['This field may not be null.'] }],
    [{ title: ['a'] }, { title: ['Not a valid string.'] }],
    [{ title: true }, { title: ['Not a valid string.'] }],
    [{ title: 'a\0b' }, { title: ['Null characters are not allowed.'] }],
    [{ title: 'x'.repeat(256) }, { title: ['Ensure this field has no more than 255 characters.'] }],
    [{ title: '🗺'.repeat(255) }, { title: '🗺'.repeat(255) }],
    [{ abstract: '' }, { abstract: '' }],
    [{ abstract: null }, { abstract: '' }],
    [{ attribution: null }, { attribution: null }],
    [{ zoom: '7' }, { zoom: '7' }],
    [{ zoom: 1.5 }, { zoom: ['A valid integer is required.'] }],
    [{ zoom: 'x' }, { zoom: ['A valid integer is required.'] }],
    [{ zoom: -1 }, { zoom: ['Ensure this value is greater than or equal to 0.'] }],
    [{ zoom: 31 }, { zoom: ['Ensure this value is less than or equal to 30.'] }],
    [{ zoom: 1e300 }, { zoom: ['Ensure this value is less than or equal to 30.'] }],
    [{ zoom: null }, { zoom: ['This field may not be null.'] }],
    [{ center_x: '1e3' }, { center_x: '1000' }],
    [{ center_x: 'NaN' }, { center_x: ['A valid number is required.'] }],
    [{ center_x: Number.POSITIVE_INFINITY }, { center_x: ['A valid number is required.'] }],
    [
      { featured: 'true', is_published: 0 },
      { featured: 'true', is_published: 'false' },
    ],
    [{ featured: 'maybe' }, { featured: ['Must be a valid boolean.'] }],
    [{ featured: null }, { featured: ['This field may not be null.'] }],
    [{ date: '2020-01-01' }, { date: '2020-01-01T00:00:00Z' }],
    [{ date: 5 }, { date: [expect.stringMatching(/^Datetime has wrong format/)] }],
    [{ date_type: 'birth' }, { date_type: ['"birth" is not a valid choice.'] }],
    [{ date_type: { a: 1 } }, { date_type: ['"dict" is not a valid choice.'] }],
    [{ language: 'english' }, { language: ['Ensure this field has no more than 3 characters.'] }],
    [{ language: 'EN1' }, { language: ['Enter a language code of three letters.'] }],
    [{ srid: '4326' }, { srid: ['Enter a coordinate system like EPSG:4326.'] }],
    [{ thumbnail_url: 'javascript:alert(1)' }, { thumbnail_url: [expect.stringMatching(/^Enter a valid URL/)] }],
    [{ thumbnail_url: '//evil.example/x.png' }, { thumbnail_url: [expect.stringMatching(/^Enter a valid URL/)] }],
    // read-only ones are left out, and what stands beside the fields of a record
    [{ pk: 5, id: 5, uuid: 'x', alternate: 'x', popular_count: 9, resource_type: 'layer', _meta: {} }, {}],
    // strange and hostile names are told
    [
      { title: 'x', nope: 1, viewers: [1], owner_id: 3 },
      { nope: ['Unknown field.'], viewers: ['Unknown field.'], owner_id: ['Unknown field.'] },
    ],
    [
      JSON.parse('{"__proto__": {"title": "x"}, "constructor": 1}'),
      JSON.parse('{"__proto__": ["Unknown field."], "constructor": ["Unknown field."]}'),
    ],
  ])('%j', (element, expected) => {
    expect(draft(element)).toEqual(expected);
  });

  test('an inherited member is not sent', () => {
    expect(draft(Object.create({ title: 'x' }))).toEqual({});
  });
});

describe('references', () => {
  test.each<[Record<string, unknown>, unknown]>([
    [{ category: 5 }, { category: { by: 'id', id: 5 } }],
    [{ category: '5' }, { category: { by: 'id', id: 5 } }],
    [{ category: 'biota' }, { category: { by: 'name', column: 'identifier', name: 'biota' } }],
    [{ category: { identifier: 'biota' } }, { category: { by: 'name', column: 'identifier', name: 'biota' } }],
    [{ category: { pk: 3, identifier: 'biota' } }, { category: { by: 'id', id: 3 } }],
    [{ category: null }, { category: null }],
    [{ category: [] }, { category: ['Incorrect type. Expected an id, but got list.'] }],
    [{ category: {} }, { category: ['Incorrect type. Expected an id, but got dict.'] }],
    [{ category: true }, { category: ['Incorrect type. Expected an id, but got bool.'] }],
    [{ category: 1.5 }, { category: ['Incorrect type. Expected an id, but got float.'] }],
    [{ group: { pk: 11, name: 'rangers' } }, { group: { by: 'id', id: 11 } }],
    [{ owner: 'ada' }, { owner: { by: 'name', column: 'username', name: 'ada' } }],
    [
      { keywords: ['a', { name: 'b', slug: 'b' }, { slug: 'c' }, 7, '2020'] },
      {
        keywords: [
          { by: 'name', column: 'name', name: 'a' },
          { by: 'name', column: 'name', name: 'b' },
          { by: 'name', column: 'slug', name: 'c' },
          { by: 'id', id: 7 },
          { by: 'name', column: 'name', name: '2020' },
        ],
      },
    ],
    [
      { keywords: 'a, b' },
      {
        keywords: [
          { by: 'name', column: 'name', name: 'a' },
          { by: 'name', column: 'name', name: 'b' },
        ],
      },
    ],
    [{ keywords: [] }, { keywords: [] }],
    [{ keywords: null }, { keywords: ['This field may not be null.'] }],
    [{ keywords: { name: 'a' } }, { keywords: ['Expected a list of items but got type "dict".'] }],
    [{ keywords: [[]] }, { keywords: ['Incorrect type. Expected an id or a name, but got list.'] }],
    [{ keywords: [''] }, { keywords: ['Incorrect type. Expected an id or a name, but got str.'] }],
    [{ keywords: Array(1001).fill('a') }, { keywords: ['Ensure this field has no more than 1000 elements.'] }],
    [
      { regions: [{ code: 'NAM', name: 'Namibia' }, 'GLO'] },
      {
        regions: [
          { by: 'name', column: 'name', name: 'Namibia' },
          { by: 'name', column: 'code', name: 'GLO' },
        ],
      },
    ],
  ])('%j', (element, expected) => {
    expect(draft(element)).toEqual(expected);
  });
});

describe('geometry and JSON', () => {
  const box = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [0, 0],
      ],
    ],
  };

  test('an extent keeps its coordinates and nothing else', () => {
    expect(draft({ bbox_polygon: { ...box, crs: { type: 'name' }, bbox: [1] } })).toEqual({
      bbox_polygon: JSON.stringify(box),
    });
    expect(draft({ bbox_polygon: JSON.stringify(box) })).toEqual({ bbox_polygon: JSON.stringify(box) });
    expect(draft({ bbox_polygon: { type: 'MultiPolygon', coordinates: [box.coordinates] } })).toEqual({
      bbox_polygon: JSON.stringify({ type: 'MultiPolygon', coordinates: [box.coordinates] }),
    });
    expect(draft({ bbox_polygon: null })).toEqual({ bbox_polygon: null });
  });

  test.each([
    'text',
    5,
    [],
    {},
    { type: 'Point', coordinates: [0, 0] },
    { type: 'Polygon' },
    { type: 'Polygon', coordinates: [] },
    { type: 'Polygon', coordinates: [[]] },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [0, 1],
          [1, 1],
          [2, 2],
        ],
      ],
    },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [0, 'x'],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [0, 1e300],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    { type: 'Polygon', coordinates: [[[0], [0], [0], [0]]] },
    { type: 'Polygon', coordinates: [Array(10_001).fill([0, 0])] },
    { type: 'MultiPolygon', coordinates: [] },
  ])('%j is no extent', (value) => {
    expect(draft({ bbox_polygon: value })).toEqual({ bbox_polygon: ['Enter a GeoJSON polygon or multipolygon.'] });
  });

  test('content of an app is JSON or JSON text', () => {
    expect(draft({ data: { a: [1] } }, geostory)).toEqual({ data: '{"a":[1]}' });
    expect(draft({ data: '{"a": 1}' }, geostory)).toEqual({ data: '{"a":1}' });
    expect(draft({ blob: { a: 1 } }, geostory)).toEqual({ blob: '{"a":1}' });
    expect(draft({ data: 'not JSON' }, geostory)).toEqual({ data: ['Value must be valid JSON.'] });
  });

  test('what is nested too deep is refused before it breaks anything', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(isTooDeep(deep)).toBe(true);
    expect(draft({ data: deep }, geostory)).toEqual({ data: ['The value is nested too deep.'] });
    expect(isTooDeep({ a: [{ b: [1, 2, { c: null }] }] })).toBe(false);
  });
});

test('names of accounts and groups look like names', () => {
  expect(draft({ username: 'a b' }, user)).toEqual({ username: [expect.stringMatching(/^Enter a valid username/)] });
  expect(draft({ username: 'Zoë.o+neil@x-y_z' }, user)).toEqual({ username: 'Zoë.o+neil@x-y_z' });
  expect(draft({ slug: 'a b' }, group)).toEqual({ slug: [expect.stringMatching(/^Enter a valid "slug"/)] });
  expect(draft({ email: 'nobody' }, group)).toEqual({ email: ['Enter a valid email address.'] });
});

test('who is not strict has strange and hostile names left out', () => {
  const lenient = (element: Record<string, unknown>) => parseElement(map, element, 'change');
  const names = (element: Record<string, unknown>) => {
    const parsed = lenient(element);
    return parsed.ok ? [...parsed.value.keys()].map(({ name }) => name) : parsed.error;
  };
  expect(names({ title: 'x', nope: 1, owner_id: 3 })).toEqual(['title']);
  expect(names(JSON.parse('{"__proto__": {"title": "x"}, "constructor": 1}'))).toEqual([]);
});

test('for a change of everything, strange names are mistakes', () => {
  expect(unknownField(map, { title: 'x' })).toBeUndefined();
  expect(unknownField(map, { zz: 1 })).toBe('Unknown field: "zz"');
  expect(unknownField(map, { id: 1 })).toBe('Cannot update field: "id"');
  expect(unknownField(map, { created: 1 })).toBe('Cannot update field: "created"');
});

test.each([
  [{ id: 5 }, 5],
  [{ pk: '5' }, 5],
  [{ id: '5', pk: 6 }, 5],
  [{ id: null, pk: 6 }, 6],
  [{ id: 1.5 }, undefined],
  [{ id: -1 }, undefined],
  [{ id: '5x' }, undefined],
  [{ id: 2 ** 31 }, undefined],
  [{}, undefined],
])('the id in %j is %s', (element, id) => {
  expect(elementId(element)).toBe(id);
});

describe('the form of a body', () => {
  const names = { item: 'map', list: 'maps' };
  test.each<[unknown, unknown]>([
    [undefined, { kind: 'one', element: {} }],
    [{ title: 'a' }, { kind: 'one', element: { title: 'a' } }],
    [{ map: { title: 'a' } }, { kind: 'one', element: { title: 'a' } }],
    [{ maps: { title: 'a' } }, { kind: 'one', element: { title: 'a' } }],
    [{ maps: [{ title: 'a' }] }, { kind: 'many', elements: [{ title: 'a' }], wrapper: 'list' }],
    [{ map: [{ title: 'a' }] }, { kind: 'many', elements: [{ title: 'a' }], wrapper: 'item' }],
    [[{ title: 'a' }], { kind: 'many', elements: [{ title: 'a' }], wrapper: 'none' }],
    [
      { map: { title: 'a' }, other: 1 },
      { kind: 'one', element: { map: { title: 'a' }, other: 1 } },
    ],
    [{ map: 5 }, { kind: 'one', element: { map: 5 } }],
    ['text', { kind: 'neither', got: 'str' }],
    [5, { kind: 'neither', got: 'int' }],
    [1.5, { kind: 'neither', got: 'float' }],
    [null, { kind: 'neither', got: 'NoneType' }],
    [true, { kind: 'neither', got: 'bool' }],
  ])('%j', (body, expected) => {
    expect(bodyForm(body, names)).toEqual(expected);
  });
});

test('whatever is sent, a draft or messages come of it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(map, geostory, group, user),
      fc.dictionary(
        fc.constantFrom(
          'title',
          'name',
          'zoom',
          'data',
          'keywords',
          'regions',
          'bbox_polygon',
          'category',
          'date',
          'username',
          'access',
          'password',
          'featured',
        ),
        fc.jsonValue(),
      ),
      (recordType, element) => {
        const parsed = parseElement(recordType, element as Record<string, unknown>, 'create');
        if (!parsed.ok) for (const messages of Object.values(parsed.error)) expect(messages.length).toBeGreaterThan(0);
      },
    ),
  );
});
