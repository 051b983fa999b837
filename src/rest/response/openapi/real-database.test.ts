// Both documents of a real database: valid for every role, and true of the rows it has.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { checkedDocument, type Json } from '../../../../test/fixtures/rest/check-document.ts';
import {
  ANONYMOUS,
  AUTHOR,
  EXPOSED_SCHEMAS,
  EXTRA_SEARCH_PATH,
  READER,
  REST_FIXTURE,
} from '../../../../test/fixtures/rest/fixture.ts';
import { onEachEngine, type TestDatabase } from '../../../../test/testkit/database.ts';
import { askVisible, type VisibilityMode, type Visible } from '../../run/ask-visible.ts';
import { loadSchemaCache } from '../../schema-cache/introspect.ts';
import type { SchemaCache } from '../../schema-cache/schema-cache.ts';
import { componentName } from './component-name.ts';
import { type DocumentFormat, makeDocuments } from './documents.ts';

onEachEngine('the documents of a database', { fixtures: REST_FIXTURE }, (db) => {
  let cache: SchemaCache;
  beforeAll(async () => {
    const loaded = await loadSchemaCache(db().driver, { schemas: EXPOSED_SCHEMAS, extraSearchPath: EXTRA_SEARCH_PATH });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    cache = loaded.value;
  });

  const documents = makeDocuments();
  const checked = new Map<Buffer, Promise<Json>>();
  async function describe(
    format: DocumentFormat,
    role: string,
    schema = 'test',
    mode: VisibilityMode = 'follow-privileges',
  ): Promise<Json> {
    const document = await documents.document({
      format,
      schema,
      cache,
      visible: await visibleTo(db(), role, schema, mode),
      config: {
        openapiServerProxyUri: undefined,
        serverHost: '!4',
        serverPort: 3000,
        openapiSecurityActive: true,
        dbAnonRole: ANONYMOUS,
        dbSchemas: EXPOSED_SCHEMAS,
        dbExtraSearchPath: EXTRA_SEARCH_PATH,
      },
      version: '1.0.0',
    });
    const known = checked.get(document) ?? checkedDocument(document.toString('utf8'));
    checked.set(document, known);
    return known;
  }

  const formats: readonly DocumentFormat[] = ['swagger-2.0', 'openapi-3.1'];

  test.each(formats.flatMap((format) => EXPOSED_SCHEMAS.map((schema) => [format, schema] as const)))(
    '%s of %s is valid',
    async (format, schema) => {
      expect(Object.keys((await describe(format, ANONYMOUS, schema))['paths'] ?? {}).length).toBeGreaterThan(2);
    },
  );

  test.each(formats)('%s shows each role what it may use', async (format) => {
    const paths = async (role: string) => Object.keys((await describe(format, role))['paths'] ?? {});
    const anonymous = await paths(ANONYMOUS);
    expect(anonymous).toEqual(
      expect.arrayContaining(['/', '/items', '/insertonly', '/limited_columns', '/rpc/add_them']),
    );
    for (const hidden of [
      '/authors_only',
      '/private_table',
      '/car_models_2021',
      '/rpc/privileged_hello',
      '/rpc/set_answer',
    ]) {
      expect(anonymous).not.toContain(hidden);
    }
    expect(await paths(AUTHOR)).toEqual(expect.arrayContaining(['/authors_only', '/rpc/privileged_hello']));
    expect(await paths(READER)).not.toContain('/insertonly');
  });

  test('everything is shown where privileges are ignored', async () => {
    const { paths } = (await describe('openapi-3.1', ANONYMOUS, 'test', 'ignore-privileges')) as {
      readonly [key: string]: Json;
    };
    expect(Object.keys(paths ?? {})).toEqual(
      expect.arrayContaining(['/private_table', '/authors_only', '/rpc/privileged_hello']),
    );
  });

  test('comments of schema, table, column and function are told', async () => {
    const document = await describe('swagger-2.0', ANONYMOUS);
    expect(document['info']).toMatchObject({
      title: 'Test API',
      description: 'One of everything a database can expose.\nRows are few and known.',
    });
    expect(document['paths']?.['/projects']?.['get']).toMatchObject({
      summary: 'Work we do',
      description: 'One row for each contract.',
    });
    expect(document['definitions']?.['projects']?.['properties']?.['client_id']?.['description']).toBe(
      "Null while nobody pays\n\nNote:\nThis is a Foreign Key to `clients.id`.<fk table='clients' column='id'/>",
    );
    expect(document['paths']?.['/rpc/add_them']?.['post']).toMatchObject({ summary: 'Adds' });
  });

  test('defaults, lengths and enumerations are told', async () => {
    const { definitions } = (await describe('swagger-2.0', ANONYMOUS)) as { readonly [key: string]: Json };
    expect(definitions?.['stock']?.['properties']).toMatchObject({
      name: { default: 'unnamed' },
      amount: { format: 'integer', default: 7 },
      kind: { enum: ['sad', 'ok', 'happy'], default: 'ok' },
      tags: { type: 'array', default: [] },
      details: { default: { new: true } },
      price: { type: 'number', default: 0.5 },
      is_listed: { default: false },
      added_on: { default: '2024-01-31' },
    });
    expect(definitions?.['stock']?.['properties']?.['changed_at']).not.toHaveProperty('default');
    expect(definitions?.['typed_lengths']?.['properties']).toMatchObject({ c: { maxLength: 5 }, v: { maxLength: 5 } });
  });

  test('operations follow what can be done with a relation', async () => {
    const { paths } = (await describe('openapi-3.1', ANONYMOUS)) as { readonly [key: string]: Json };
    const methods = (path: string) => Object.keys(paths?.[path] ?? {});
    expect(methods('/items')).toEqual(['get', 'post', 'put', 'patch', 'delete']);
    expect(methods('/no_pk')).toEqual(['get', 'post', 'patch', 'delete']);
    expect(methods('/materialized_projects')).toEqual(['get']);
    expect(methods('/all_names')).toEqual(['get']);
    expect(methods('/insert_by_trigger')).toEqual(['get', 'post']);
    expect(methods('/rpc/callcounter')).toEqual(['post']);
    expect(methods('/rpc/unnamed_json_param')).toEqual(['post']);
  });

  test('every row of every table fits the schema of its table', async () => {
    const document = await describe('openapi-3.1', ANONYMOUS, 'test', 'ignore-privileges');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document as unknown as object, 'doc');
    let fitting = 0;
    for (const { name, columns } of cache.tablesOf('test')) {
      // A cast that PostgreSQL itself does not apply gives these their form.
      if ([...columns.values()].some(({ representation }) => representation !== null)) continue;
      if (name === 'failing_view') continue;
      const isRow = ajv.compile({ $ref: `doc#/components/schemas/${componentName(name)}` });
      const rows = await db().query<{ row: unknown }>(
        `select to_jsonb(whole_row) - 'a_matrix' as row from test."${name.replaceAll('"', '""')}" as whole_row`,
      );
      for (const { row } of rows) {
        fitting++;
        expect(isRow(row), `${name}: ${JSON.stringify([row, isRow.errors])}`).toBe(true);
      }
    }
    expect(fitting).toBeGreaterThan(200);
  });
});

async function visibleTo(db: TestDatabase, role: string, schema: string, mode: VisibilityMode): Promise<Visible> {
  const before = [{ text: `select set_config('role', $1, true)`, params: [role] }];
  const asked = await askVisible(db.driver, before, { mode, schema }, {});
  if (!asked.ok) throw new Error(JSON.stringify(asked.error));
  return asked.value;
}
