import { expect, test } from 'vitest';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { documents } from '../kinds/document/collection.ts';
import { describeCollection } from './describe.ts';
import { fieldParameters, listParameters } from './list-parameters.ts';

const collection = documents({} as BlobStore);
type Described = {
  readonly features: readonly string[];
  readonly properties: Readonly<Record<string, Record<string, unknown>>>;
};
const described = (hasPatchAll = false) => describeCollection(collection, hasPatchAll) as Described;

test('a collection says what it is called and what it can do', () => {
  expect(described()).toMatchObject({
    name: 'Documents',
    resource_name: 'document',
    resource_name_plural: 'documents',
    renders: ['application/json'],
  });
  expect([described().features, described(true).features].map((list) => list.includes('patch-all'))).toEqual([
    false,
    true,
  ]);
});

test('a field says what may be written, of which kind it is, and what it leads to', () => {
  const { properties } = described();
  expect(properties['title']).toMatchObject({
    required: true,
    read_only: false,
    label: 'Title',
    type: 'string',
    nullable: false,
    max_length: 255,
  });
  expect(properties['title']).not.toHaveProperty('deferred');
  expect(properties['title']).not.toHaveProperty('write_only');
  expect(properties['uuid']).toMatchObject({ read_only: true, type: 'string', label: 'Uuid' });
  expect(properties['bbox_polygon']).toMatchObject({ type: 'field', nullable: true });
  expect(properties['category']).toMatchObject({ related_to: 'categories', type: 'one' });
  expect(properties['keywords']).toMatchObject({ related_to: 'keywords', type: 'many' });
  expect(properties['date_type']?.['choices']).toContainEqual({ value: 'creation', display_name: 'creation' });
  expect(properties['last_updated']).toMatchObject({ label: 'Last updated' });
  const deferred = collection.recordType.fields.filter((field) => field.deferred).map(({ name }) => name);
  expect(deferred.length).toBeGreaterThan(0);
  for (const name of deferred) expect(properties[name]).toHaveProperty('deferred', true);
});

test('a list is paged, searched, sorted and filtered; a bare one has neither pages nor room beside it', () => {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const all = ['ordering', 'sort[]', 'search', 'search_fields', 'filter{}', 'extent', 'include[]', 'full', 'exclude[]'];
  const { recordType, rules } = collection;
  const listed = { recordType, rules: { ...rules, searched: ['title'], hasExtent: true, full: ['data'] } };
  expect(names(listParameters(listed))).toEqual(['page', 'page_size', ...all, 'sideloading']);
  expect(names(listParameters({ ...listed, isBare: true }))).toEqual(all);
  const poor = {
    recordType: { ...recordType, fields: [] },
    rules: { ...rules, searched: undefined, hasExtent: false, full: [] },
  };
  expect(names(listParameters(poor as never))).toEqual([
    'page',
    'page_size',
    'ordering',
    'sort[]',
    'filter{}',
    'exclude[]',
    'sideloading',
  ]);
  const schemas = Object.fromEntries(listParameters(listed).map(({ name, schema }) => [name, schema]));
  expect(schemas['page']).toEqual({ type: 'integer', minimum: 1, default: 1 });
  expect(schemas['page_size']).toEqual({ type: 'integer', minimum: 1, maximum: 1000, default: 10 });
  expect(names(fieldParameters(listed))).toEqual(['include[]', 'full', 'exclude[]', 'sideloading']);
});
