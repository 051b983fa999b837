// The types of the portal's answers, generated from its OpenAPI document.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { apiTypes, describedPortal, typeOf, undescribed } from '../../scripts/api-types.mjs';

test.each([
  [{ type: 'integer', minimum: 1 }, 'number'],
  [{ type: 'string', nullable: true }, 'string | null'],
  [{ type: 'string', enum: ['a', 'b', null], nullable: true }, '"a" | "b" | null'],
  [{ type: 'object', nullable: true, enum: [null] }, 'null'],
  [{ type: 'array', items: { type: 'string', nullable: true } }, 'ReadonlyArray<string | null>'],
  [{ type: 'object', additionalProperties: true }, 'Readonly<Record<string, unknown>>'],
  [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'Readonly<Record<string, boolean>>'],
  [{ type: 'string', anyOf: [{ format: 'uri' }, { maxLength: 0 }] }, 'string'],
  [
    { oneOf: [{ $ref: '#/components/schemas/Style' }, { type: 'object', nullable: true, enum: [null] }] },
    'Style | null',
  ],
  [{ $ref: '#/components/schemas/Updated/properties/meta' }, "NonNullable<Updated['meta']>"],
  [{}, 'unknown'],
])('%j is the type %s', (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test('members that are not promised are optional, and names that are no identifiers are quoted', () => {
  const properties = { a: { type: 'string', description: 'What it is.' }, 'b-c': { type: 'number' } };
  expect(typeOf({ type: 'object', properties, required: ['a'] })).toBe(
    "{\n  /** What it is. */\n  readonly a: string;\n  readonly 'b-c'?: number;\n}",
  );
});

test('a keyword that it does not know is refused and not passed over', () => {
  expect(() => typeOf({ type: 'string', not: { type: 'string' } })).toThrow('not');
});

const content = (schema: object) => ({ content: { 'application/json': { schema } } });

test('operations have their query, body and answer, without the ones that sideloading gives', () => {
  const layer = { $ref: '#/components/schemas/Layer' };
  const text = apiTypes({
    paths: {
      '/layers/{id}/': {
        get: {
          responses: {
            200: content({ anyOf: [layer, { $ref: '#/components/schemas/SideloadedLayer' }] }),
            404: content({ type: 'string' }),
          },
        },
        delete: { responses: { 204: {} } },
      },
    },
    components: {
      schemas: { Layer: { type: 'object', properties: { pk: { type: 'string' } } }, SideloadedLayer: {}, Unused: {} },
    },
  });
  expect(text).toContain("readonly 'GET /layers/{id}/': { readonly answer: Layer };");
  expect(text).toContain("readonly 'DELETE /layers/{id}/': { readonly answer: undefined };");
  expect(text).toContain('export type Layer = {\n  readonly pk?: string;\n};');
  expect(text).not.toMatch(/Sideloaded|Unused/);
});

test('what many say alike is written once: parameters, fields of records, long bodies and answers', () => {
  const fields = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`field${at}`, { type: 'string' }]));
  const long = { type: 'object', properties: { a: {}, b: {}, c: {} } };
  const one = (name: string) => ({
    post: {
      parameters: [{ in: 'query', name: 'page', schema: { type: 'integer' } }],
      requestBody: { content: content(long).content, required: true },
      responses: { 200: content({ $ref: `#/components/schemas/${name}` }) },
    },
  });
  const names = ['Barn', 'Farm', 'ResourceX', 'Well'];
  const text = apiTypes({
    paths: Object.fromEntries(names.map((name) => [`/${name}/`, one(name)])),
    components: {
      schemas: Object.fromEntries(
        names.map((name) => [name, { type: 'object', properties: { ...fields, [name]: {} } }]),
      ),
    },
  });
  expect(text).toContain('type Parameters = {\n  readonly page?: number;\n};');
  expect(text).toContain("readonly query: Pick<Parameters, 'page'>;");
  expect(text).toContain('export type Well = CommonResourceX & {\n  readonly Well?: unknown;\n};');
  expect(text.match(/readonly field3\?: string;/g)).toHaveLength(1);
  expect(text.match(/readonly body: Operations\['POST \/Barn\/'\]\['body'\]/g)).toHaveLength(3);
});

test('the types are those of the document as it is, and every route is described in it', async () => {
  const portal = await describedPortal();
  const written = readFileSync(new URL('../../client/src/operations.gen.ts', import.meta.url), 'utf8');
  expect(apiTypes(portal.document)).toBe(written);
  expect(undescribed(portal)).toEqual([]);
});

test('a route without a description is named', () => {
  const document = { paths: { '/api/v2/trees/{id}/': { get: {} } } };
  const routes = [
    { method: 'get', path: '/api/v2/trees/{tree}/' },
    { method: 'delete', path: '/api/v2/trees/{tree}/' },
    { method: 'get', path: '/health' },
  ];
  expect(undescribed({ document, routes })).toEqual(['DELETE /api/v2/trees/{}/']);
});
