// The types of the portal's answers, generated from its OpenAPI document.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { apiTypes, clientTypes, describedPortal, typeOf, undescribed } from '../../scripts/api-types.mjs';

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

test('answers are found by method and address, without the ones that sideloading gives', () => {
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
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
  expect(text).toContain("readonly 'GET /layers/{}/': Layer;");
  expect(text).toContain("readonly 'DELETE /layers/{}/': undefined;");
  expect(text).toContain('export type Layer = {\n  readonly pk?: string;\n};');
  expect(text).not.toMatch(/Sideloaded|Unused/);
});

test('the types of the pages and of the client are those of the document as it is, and every route is described in it', async () => {
  const portal = await describedPortal();
  const kept = readFileSync(new URL('../../web/api/portal-api.gen.ts', import.meta.url), 'utf8');
  expect(apiTypes(portal.document)).toBe(kept);
  const client = readFileSync(new URL('../../client/src/operations.gen.ts', import.meta.url), 'utf8');
  expect(clientTypes(portal.document)).toBe(client);
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
