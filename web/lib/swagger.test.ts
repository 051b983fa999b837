import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOpenApi, parseRestDescription } from './swagger.ts';

test('tables and functions of the REST service', () => {
  const found = parseRestDescription({
    paths: {
      '/': { get: {} },
      '/cities': { get: { summary: 'Cities' }, post: {} },
      '/batch': { post: { summary: 'Several requests' } },
      '/rpc/near': {
        post: {
          summary: 'Near',
          parameters: [{ in: 'body', schema: { properties: { x: { format: 'double precision' } } } }],
        },
      },
    },
    definitions: {
      cities: {
        properties: {
          fid: { type: 'integer', format: 'bigint', description: 'Key\n\nNote:\nThis is a Primary Key.<pk/>' },
          land: { description: "Note:\nThis is a Foreign Key to `it's.id`.<fk table='it&apos;s' column='id'/>" },
        },
      },
    },
  });
  expect(found.tables).toEqual([
    {
      name: 'cities',
      about: 'Cities',
      columns: [
        { name: 'fid', type: 'bigint', about: 'Key', isKey: true, refersTo: undefined },
        { name: 'land', type: '', about: '', isKey: false, refersTo: { table: "it's", column: 'id' } },
      ],
      methods: ['GET', 'POST'],
    },
  ]);
  expect(found.routines).toEqual([
    {
      name: 'near',
      about: 'Near',
      args: [expect.objectContaining({ name: 'x', type: 'double precision', about: '' })],
    },
  ]);
});

test('operations of the portal by their tag, with shared parameters', () => {
  const tags = parseOpenApi({
    paths: {
      '/api/v2/maps/': {
        parameters: [{ $ref: '#/components/parameters/page' }],
        get: { tags: ['maps'], summary: 'Lists maps' },
      },
    },
    components: { parameters: { page: { name: 'page', in: 'query', description: 'Which page' } } },
  });
  expect(tags).toEqual([
    {
      name: 'maps',
      operations: [
        {
          method: 'GET',
          path: '/api/v2/maps/',
          summary: 'Lists maps',
          parameters: [{ name: 'page', type: 'query', about: 'Which page' }],
          hasBody: false,
        },
      ],
    },
  ]);
});

test('whatever is there is read without failing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (document) => {
      parseRestDescription({ paths: { '/a': document }, definitions: document });
      parseOpenApi({ paths: { '/a': { get: document } } });
      parseOpenApi(document);
    }),
  );
});
