// What the description of the API says, and to whom.

import { describe, expect, test } from 'vitest';
import { checkedDocument, type Json } from '../../fixtures/rest/check-document.ts';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { type SuiteClient, useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

const OPENAPI_31 = 'application/vnd.oai.openapi+json;version=3.1';

async function document(rest: SuiteClient, headers: Record<string, string> = {}, as?: string): Promise<Json> {
  const reply = await rest.request('GET', '/', { headers, ...(as === undefined ? {} : { as }) });
  expect(reply.status).toBe(200);
  return JSON.parse(String(reply.body)) as Json;
}

const refs = (...names: string[]) => names.map((name) => ({ $ref: `#/parameters/${name}` }));

onEachEngine('the description of the API', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('as Swagger 2.0', () => {
    test('is valid, and every reference in it leads somewhere', async () => {
      const reply = await rest.get('/');
      const checked = await checkedDocument(String(reply.body));
      expect(checked['swagger']).toBe('2.0');
    });

    test('says what and where the API is', async () => {
      const types = [
        'application/json',
        'application/vnd.pgrst.object+json;nulls=stripped',
        'application/vnd.pgrst.object+json',
        'text/csv',
      ];
      expect(await document(rest)).toMatchObject({
        info: {
          title: 'Test API',
          description: 'One of everything a database can expose.\nRows are few and known.',
          version: 'test',
        },
        host: '0.0.0.0:3000',
        basePath: '/',
        schemes: ['http'],
        consumes: types,
        produces: types,
      });
    });

    test('a key that at most one row can have is a key all the same, on the side that holds it', async () => {
      const { definitions } = await document(rest);
      const tables = definitions as unknown as Record<string, { properties: Record<string, { description?: string }> }>;
      const noteOf = (table: string, column: string): unknown => tables[table]?.properties[column]?.description;
      expect(noteOf('capital', 'country_id')).toBe(
        "Note:\nThis is a Foreign Key to `country.id`.<fk table='country' column='id'/>",
      );
      expect(noteOf('country', 'id')).toBe('Note:\nThis is a Primary Key.<pk/>');
    });

    test('a table', async () => {
      const { definitions, paths, parameters } = await document(rest);
      expect(definitions?.['projects']).toEqual({
        description: 'Work we do\nOne row for each contract.',
        required: ['id', 'name'],
        properties: {
          id: { format: 'integer', type: 'integer', description: 'Note:\nThis is a Primary Key.<pk/>' },
          name: { format: 'text', type: 'string' },
          client_id: {
            format: 'integer',
            type: 'integer',
            description:
              "Null while nobody pays\n\nNote:\nThis is a Foreign Key to `clients.id`.<fk table='clients' column='id'/>",
          },
        },
        type: 'object',
      });
      const filters = ['rowFilter.projects.id', 'rowFilter.projects.name', 'rowFilter.projects.client_id'];
      const words = { tags: ['projects'], summary: 'Work we do', description: 'One row for each contract.' };
      expect(paths?.['/projects']).toEqual({
        get: {
          ...words,
          produces: expect.arrayContaining([
            'application/json',
            'text/csv',
            'application/x-ndjson',
            'text/event-stream',
          ]),
          parameters: refs(
            ...filters,
            ...['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'],
            ...['distinct', 'having', 'after'],
          ),
          responses: {
            200: { description: 'OK', schema: { type: 'array', items: { $ref: '#/definitions/projects' } } },
            206: { description: 'Partial Content' },
          },
        },
        post: {
          ...words,
          parameters: refs('body.projects', 'select', 'preferPost'),
          responses: { 201: { description: 'Created' } },
        },
        patch: {
          ...words,
          consumes: ['application/json', 'application/merge-patch+json', 'text/csv'],
          parameters: refs(...filters, 'body.projects', 'columns', 'on_conflict', 'preferReturn'),
          responses: { 204: { description: 'No Content' } },
        },
        delete: {
          ...words,
          parameters: refs(...filters, 'preferReturn'),
          responses: { 204: { description: 'No Content' } },
        },
      });
      expect(parameters?.['rowFilter.projects.client_id']).toEqual({
        name: 'client_id',
        description: 'Null while nobody pays',
        required: false,
        format: 'integer',
        in: 'query',
        type: 'string',
      });
      expect(parameters?.['body.projects']).toEqual({
        name: 'projects',
        description: 'Work we do\nOne row for each contract.',
        required: false,
        in: 'body',
        schema: { $ref: '#/definitions/projects' },
      });
    });

    test('words of our own, where the format can say them', async () => {
      const { paths } = await document(rest);
      expect(paths?.['/rpc/getallprojects']?.['get']?.['parameters']).toEqual(
        refs('select', 'order', 'limit', 'offset', 'after'),
      );
      expect(paths?.['/rpc/ret_point_2ds']?.['get']?.['parameters']).toEqual(
        refs('select', 'order', 'limit', 'offset'),
      );
      expect(paths?.['/batch']?.['post']).toMatchObject({
        parameters: [{ in: 'body', schema: { type: 'array', maxItems: 100 } }, { name: 'Prefer' }],
      });
      expect(paths?.['/no_pk']?.['get']?.['parameters']).not.toContainEqual({ $ref: '#/parameters/after' });
    });

    test('what can only be read has no verbs that write', async () => {
      const { paths } = await document(rest);
      for (const path of ['/materialized_projects', '/all_names', '/project_details'])
        expect(Object.keys(paths?.[path] ?? {}), path).toEqual(['get']);
      for (const path of ['/projects_view', '/insert_by_trigger', '/tiobe_by_trigger', '/car_models'])
        expect(Object.keys(paths?.[path] ?? {}).sort(), path).toEqual(['delete', 'get', 'patch', 'post']);
    });

    test('types, lengths, labels and defaults', async () => {
      const { definitions } = await document(rest);
      expect(definitions?.['stock']?.['properties']).toMatchObject({
        name: { format: 'text', type: 'string', default: 'unnamed' },
        amount: { format: 'integer', type: 'integer', default: 7 },
        kind: { format: 'test.mood', type: 'string', enum: ['sad', 'ok', 'happy'], default: 'ok' },
        tags: { format: 'text[]', type: 'array', items: { type: 'string' }, default: [] },
        details: { format: 'jsonb', default: { new: true } },
        price: { format: 'numeric', type: 'number', default: 0.5 },
        is_listed: { format: 'boolean', type: 'boolean', default: false },
        added_on: { format: 'date', type: 'string', default: '2024-01-31' },
      });
      expect(definitions?.['all_types']?.['properties']).toMatchObject({
        a_bigint: { format: 'bigint', type: 'integer' },
        a_double: { format: 'double precision', type: 'number' },
        a_varchar: { format: 'character varying', type: 'string', maxLength: 20 },
        a_char: { format: 'character', type: 'string', maxLength: 5 },
        a_json: { format: 'json' },
        a_timestamptz: { format: 'timestamp with time zone', type: 'string' },
        some_integers: { format: 'integer[]', type: 'array', items: { type: 'integer' } },
        a_mood: { enum: ['sad', 'ok', 'happy'], description: 'An enumeration' },
        an_email: { format: 'text', type: 'string' },
      });
      expect(definitions?.['all_types']?.['properties']?.['a_json']).not.toHaveProperty('type');
    });

    test('a function that only reads', async () => {
      const { paths } = await document(rest);
      const words = { tags: ['(rpc) add_them'], summary: 'Adds', description: 'Two integers make one.' };
      expect(paths?.['/rpc/add_them']).toEqual({
        get: {
          ...words,
          produces: expect.any(Array),
          parameters: [
            { name: 'a', required: true, in: 'query', format: 'integer', type: 'integer' },
            { name: 'b', required: true, in: 'query', format: 'integer', type: 'integer' },
          ],
          responses: { 200: { description: 'OK' } },
        },
        post: {
          ...words,
          produces: expect.any(Array),
          parameters: [
            {
              name: 'args',
              in: 'body',
              required: true,
              schema: {
                description: 'Adds\nTwo integers make one.',
                required: ['a', 'b'],
                properties: {
                  a: { format: 'integer', type: 'integer' },
                  b: { format: 'integer', type: 'integer' },
                },
                type: 'object',
              },
            },
            { $ref: '#/parameters/preferParams' },
          ],
          responses: { 200: { description: 'OK' } },
        },
      });
    });

    test('functions that write, take arrays, take many, or take the body', async () => {
      const { paths } = await document(rest);
      expect(Object.keys(paths?.['/rpc/callcounter'] ?? {})).toEqual(['post']);
      expect(Object.keys(paths?.['/rpc/unnamed_json_param'] ?? {})).toEqual(['post']);
      const parametersOf = (name: string) => paths?.[`/rpc/${name}`]?.['get']?.['parameters'];
      expect(parametersOf('variadic_param')).toEqual([
        {
          name: 'v',
          required: false,
          in: 'query',
          type: 'array',
          items: { format: 'text', type: 'string' },
          collectionFormat: 'multi',
        },
      ]);
      // The type is in a schema of the search path.
      expect(parametersOf('varied_arguments')).toContainEqual({
        name: 'enum',
        required: true,
        in: 'query',
        format: 'mood',
        type: 'string',
      });
      expect(parametersOf('varied_arguments')).toContainEqual({
        name: 'arr',
        required: true,
        in: 'query',
        format: 'text[]',
        type: 'string',
      });
      expect(parametersOf('varied_arguments')).toContainEqual({
        name: 'integer',
        required: false,
        in: 'query',
        format: 'integer',
        type: 'integer',
      });
      for (const name of ['an_aggregate', 'set_answer', 'unnamed_integer_param', 'mixed_unnamed_param'])
        expect(paths).not.toHaveProperty([`/rpc/${name}`]);
    });

    test('the root itself, and no partitions', async () => {
      const { paths } = await document(rest);
      expect(paths?.['/']?.['get']).toMatchObject({
        tags: ['Introspection'],
        summary: 'OpenAPI description (this document)',
        responses: { 200: { description: 'OK' } },
      });
      expect(paths).toHaveProperty(['/car_models']);
      expect(paths).not.toHaveProperty(['/car_models_2021']);
    });

    test('shared parameters', async () => {
      const { parameters } = await document(rest);
      for (const name of [
        'preferParams',
        'preferReturn',
        'preferCount',
        'preferPost',
        'select',
        'on_conflict',
        'order',
        'range',
        'offset',
        'limit',
      ])
        expect(parameters).toHaveProperty([name]);
      expect(parameters?.['rangeUnit']).toMatchObject({ name: 'Range-Unit', in: 'header', default: 'items' });
    });
  });

  describe('as OpenAPI 3.1', () => {
    test.each([OPENAPI_31, 'application/vnd.oai.openapi+json', `text/html, ${OPENAPI_31};q=0.9, */*;q=0.1`])(
      'to whoever accepts %s: valid, and every reference in it leads somewhere',
      async (accept) => {
        const reply = await rest.get('/', { accept });
        expect(reply).toMatchReply({
          status: 200,
          headers: {
            'content-type': `${OPENAPI_31}; charset=utf-8`,
            'content-length': String((reply.body as Uint8Array).length),
            'content-profile': 'test',
          },
        });
        const checked = await checkedDocument(String(reply.body));
        expect(checked['openapi']).toMatch(/^3\.1\./);
        expect(checked['info']).toMatchObject({ title: 'Test API' });
        expect(checked['paths']).toHaveProperty(['/projects']);
        expect(checked['paths']).toHaveProperty(['/rpc/add_them']);
      },
    );

    test('HEAD', async () => {
      expect(await rest.head('/', { accept: OPENAPI_31 })).toMatchReply({
        status: 200,
        headers: { 'content-type': `${OPENAPI_31}; charset=utf-8`, 'content-length': null },
        text: '',
      });
    });

    test('what comes first is what is preferred', async () => {
      expect(await rest.get('/', { accept: `application/openapi+json, ${OPENAPI_31};q=0.5` })).toMatchReply({
        headers: { 'content-type': 'application/openapi+json; charset=utf-8' },
      });
    });

    test('every schema is described', async () => {
      for (const profile of ['v1', 'v2', 'SPECIAL "@/\\#~_-'])
        for (const accept of [OPENAPI_31, 'application/openapi+json']) {
          const reply = await rest.get('/', { accept, 'accept-profile': profile });
          expect(reply).toMatchReply({ status: 200, headers: { 'content-profile': profile } });
          await checkedDocument(String(reply.body));
        }
    });
  });

  describe('by schema', () => {
    test('has what is in it, and nothing of the others', async () => {
      const v1 = await document(rest, { 'accept-profile': 'v1' });
      expect(Object.keys(v1['definitions'] ?? {}).sort()).toEqual(['children', 'parents']);
      expect(Object.keys(v1['paths'] ?? {}).sort()).toEqual([
        ...['/', '/batch', '/children', '/parents', '/rpc/get_parents_below'],
      ]);
      expect(v1['info']).toMatchObject({ title: 'First version' });
      const v2 = await document(rest, { 'accept-profile': 'v2' });
      expect(v2['definitions']).toHaveProperty(['another_table']);
      // A key into another schema is none that could be followed.
      expect(v2['definitions']?.['outside']?.['properties']?.['client_id']).toEqual({
        format: 'integer',
        type: 'integer',
      });
    });

    test('without a comment the program names itself', async () => {
      const v2 = await document(rest, { 'accept-profile': 'v2' });
      expect(v2['info']).toEqual({
        title: 'Survest API',
        description: 'This is a dynamic API generated by Survest',
        version: 'test',
      });
    });

    test('Content-Profile is not for the root, and an unknown schema is refused', async () => {
      expect(await document(rest, { 'content-profile': 'v1' })).toMatchObject({ info: { title: 'Test API' } });
      expect(await rest.get('/', { 'accept-profile': 'private' })).toMatchReply(
        failure(406, 'SVRST106', 'Invalid schema: private', {
          hint: 'Only the following schemas are exposed: test, v1, v2, SPECIAL "@/\\#~_-',
        }),
      );
    });
  });

  describe('follows privileges', () => {
    test('tables: any privilege on them or on a column makes them known', async () => {
      const { definitions, paths } = await document(rest);
      for (const known of ['projects', 'insertonly', 'limited_columns', 'select_only'])
        expect(definitions, known).toHaveProperty([known]);
      for (const unknown of ['private_table', 'articles', 'authors_only']) {
        expect(definitions, unknown).not.toHaveProperty([unknown]);
        expect(paths, unknown).not.toHaveProperty([`/${unknown}`]);
      }
    });

    test('functions: those that may be called', async () => {
      const { paths } = await document(rest);
      expect(paths).toHaveProperty(['/rpc/sayhello']);
      expect(paths).not.toHaveProperty(['/rpc/privileged_hello']);
    });

    test('each role has its own description', async () => {
      const author = await document(rest, {}, AUTHOR);
      expect(author['definitions']).toHaveProperty(['authors_only']);
      expect(author['definitions']).not.toHaveProperty(['insertonly']);
      expect(author['definitions']).not.toHaveProperty(['private_table']);
      expect(author['paths']).toHaveProperty(['/rpc/privileged_hello']);
      expect((await document(rest))['definitions']).not.toHaveProperty(['authors_only']);
    });

    test('a grant counts from the next request on', async () => {
      await db().script(
        'create table test.lent (id integer); create role rest_borrower; grant rest_borrower to rest_authenticator; grant usage on schema test to rest_borrower',
      );
      await rest.client().service.reloadSchema();
      expect((await document(rest, {}, 'rest_borrower'))['definitions']).not.toHaveProperty(['lent']);
      await db().script('grant select on test.lent to rest_borrower');
      expect((await document(rest, {}, 'rest_borrower'))['definitions']).toHaveProperty(['lent']);
      await db().script('revoke select on test.lent from rest_borrower');
      expect((await document(rest, {}, 'rest_borrower'))['definitions']).not.toHaveProperty(['lent']);
      await db().script(
        'drop table test.lent; revoke usage on schema test from rest_borrower; drop role rest_borrower',
      );
    });
  });

  describe('ignores privileges where told to', () => {
    const open = useRest(db, { 'openapi-mode': 'ignore-privileges' });

    test('and has everything of the schema, and nothing else', async () => {
      const reply = await open.get('/');
      const { definitions, paths } = await checkedDocument(String(reply.body));
      for (const known of ['private_table', 'authors_only', 'insertonly', 'articles'])
        expect(definitions, known).toHaveProperty([known]);
      expect(paths).toHaveProperty(['/rpc/privileged_hello']);
      expect(definitions).not.toHaveProperty(['parents']);
      expect(definitions).not.toHaveProperty(['hidden_pair']);
    });

    test('who asks must be someone all the same', async () => {
      expect(await open.get('/', { authorization: 'Bearer x.y' })).toMatchReply({ status: 401 });
    });
  });

  describe('one schema', () => {
    const single = useRest(db, { 'db-schemas': 'v1' });

    test('is not named in the answer unless it was in the question', async () => {
      expect(await single.get('/')).toMatchReply({ status: 200, headers: { 'content-profile': null } });
      expect(await single.get('/', { 'accept-profile': 'v1' })).toMatchReply({ headers: { 'content-profile': 'v1' } });
    });
  });

  describe('security', () => {
    const secured = useRest(db, { 'openapi-security-active': 'true' });

    test('is described when it is active', async () => {
      const reply = await secured.get('/');
      expect(await checkedDocument(String(reply.body))).toMatchObject({
        securityDefinitions: {
          JWT: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'Add the token prepending "Bearer " (without quotes) to it',
          },
        },
        security: [{ JWT: [] }],
      });
    });

    test('and only then', async () => {
      const plain = await document(rest);
      expect(plain).not.toHaveProperty('securityDefinitions');
      expect(plain).not.toHaveProperty('security');
    });
  });

  describe('address', () => {
    const proxied = useRest(db, { 'openapi-server-proxy-uri': 'https://api.example.com:8443/v1/data' });
    const plain = useRest(db, { 'openapi-server-proxy-uri': 'http://api.example.com' });
    const secure = useRest(db, { 'openapi-server-proxy-uri': 'https://api.example.com/' });
    const elsewhere = useRest(db, { 'server-host': '127.0.0.9', 'server-port': '4321' });

    test('that of the proxy', async () => {
      expect(await document(proxied)).toMatchObject({
        host: 'api.example.com:8443',
        basePath: '/v1/data',
        schemes: ['https'],
      });
      expect(await document(plain)).toMatchObject({ host: 'api.example.com:80', basePath: '/', schemes: ['http'] });
      expect(await document(secure)).toMatchObject({ host: 'api.example.com:443', basePath: '/', schemes: ['https'] });
      const { servers } = JSON.parse(String((await proxied.get('/', { accept: OPENAPI_31 })).body)) as Json;
      expect(servers).toMatchObject([{ url: 'https://api.example.com:8443/v1/data' }]);
    });

    test('that of the server', async () => {
      expect(await document(elsewhere)).toMatchObject({ host: '127.0.0.9:4321', basePath: '/', schemes: ['http'] });
    });
  });

  test('verbs that the root has not', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'])
      expect(await rest.request(method, '/', { body: '{}' })).toMatchReply(
        failure(405, 'SVRST117', `Unsupported HTTP method: ${method}`),
      );
    expect(await rest.request('OPTIONS', '/')).toMatchReply({
      status: 200,
      headers: { allow: 'OPTIONS,GET,HEAD', 'content-length': '0' },
      text: '',
    });
  });

  test('a table that is new is described after the schema was loaded again', async () => {
    await db().script(
      'create table test.brand_new (id integer primary key); grant select on test.brand_new to rest_anon',
    );
    expect((await document(rest))['definitions']).not.toHaveProperty(['brand_new']);
    await rest.client().service.reloadSchema();
    expect((await document(rest))['definitions']).toHaveProperty(['brand_new']);
    await db().script('drop table test.brand_new');
  });
});
