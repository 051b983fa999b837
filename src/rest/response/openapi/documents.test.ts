import { expect, test } from 'vitest';
import { column, routine, schemaCache, table } from '../../../../test/fixtures/rest/hand-made-cache.ts';
import type { Visible } from '../../run/ask-visible.ts';
import type { DocumentRequest } from './documents.ts';
import { makeDocuments } from './documents.ts';

const parts = {
  tables: [
    table('b', [column('id', 'integer')]),
    table('a', [column('id', 'integer')]),
    table('c', [], { schema: 'v2' }),
  ],
  routines: [routine('f')],
};
const everything: Visible = { comment: null, objects: undefined };
const onlyA: Visible = { comment: null, objects: { tables: Buffer.from('["a"]'), routines: null } };

const request: DocumentRequest = {
  format: 'swagger-2.0',
  schema: 'test',
  cache: schemaCache(parts),
  visible: everything,
  config: {
    openapiServerProxyUri: undefined,
    serverHost: '!4',
    serverPort: 3000,
    openapiSecurityActive: false,
    dbAnonRole: 'anon',
    dbSchemas: ['test', 'v2'],
    dbExtraSearchPath: ['public'],
  },
  version: '1.0.0',
};

function pathsOf(document: Buffer): readonly string[] {
  return Object.keys(JSON.parse(document.toString()).paths);
}

test('one schema is described, sorted by name', async () => {
  const { document } = makeDocuments();
  expect(pathsOf(await document(request))).toEqual(['/', '/a', '/b', '/rpc/f']);
  expect(pathsOf(await document({ ...request, schema: 'v2' }))).toEqual(['/', '/c']);
  expect(pathsOf(await document({ ...request, visible: onlyA }))).toEqual(['/', '/a']);
  expect(pathsOf(await document({ ...request, format: 'openapi-3.1' }))).toEqual([
    '/',
    '/a',
    '/a/query',
    '/b',
    '/b/query',
    '/rpc/f',
  ]);
});

test('batches are described where they are taken', async () => {
  const { document } = makeDocuments();
  const paths = async (serverBatchPath: string) => {
    const config = { ...request.config, serverBatchPath, serverBatchSize: 7 };
    return pathsOf(await document({ ...request, format: 'openapi-3.1', config }));
  };
  expect(await paths('batch')).toContain('/batch');
  expect(await paths('')).not.toContain('/batch');
  // A relation of that name wins.
  expect(await paths('a')).toEqual(await paths(''));
});

test('a document is made once for all who see the same', async () => {
  const { document } = makeDocuments();
  const first = await document({ ...request, visible: onlyA });
  const sameWords = { comment: null, objects: { tables: Buffer.from('["a"]'), routines: null } };
  expect(await document({ ...request, visible: sameWords })).toBe(first);
});

const large = {
  ...request,
  cache: schemaCache({
    tables: Array.from({ length: 2000 }, (_, index) => table(`t${index}`, [column('id', 'integer')])),
  }),
};

test('those who ask while it is being made wait for the same one', async () => {
  const { document } = makeDocuments();
  const [first, second] = await Promise.all([document(large), document(large)]);
  expect(second).toBe(first);
  expect(pathsOf(first)).toHaveLength(2001);
});

test('making a large one leaves turns to others', async () => {
  const order: string[] = [];
  const made = makeDocuments()
    .document({ ...large, format: 'openapi-3.1' })
    .then(() => order.push('document'));
  setImmediate(() => order.push('another'));
  await made;
  expect(order).toEqual(['another', 'document']);
});

test.each<[what: string, change: Partial<DocumentRequest>]>([
  ['format', { format: 'openapi-3.1' }],
  ['schema', { schema: 'v2' }],
  ['visible objects', { visible: onlyA }],
  ['schema comment', { visible: { ...everything, comment: 'Title' } }],
  ['schema cache', { cache: schemaCache(parts) }],
  ['address', { config: { ...request.config, openapiServerProxyUri: 'https://example.com' } }],
  ['mount', { mount: '/rest/v1' }],
  ['security', { config: { ...request.config, openapiSecurityActive: true } }],
  ['version', { version: '1.0.1' }],
])('another %s is another document', async (_, change) => {
  const { document } = makeDocuments();
  const first = await document(request);
  expect(await document({ ...request, ...change })).not.toBe(first);
  expect(await document(request)).toBe(first);
});

test('the least recently asked for goes when there is no room, the newest never', async () => {
  const { byteLength } = await makeDocuments().document(request);
  const { document } = makeDocuments(2.5 * byteLength);
  const first = await document({ ...request, version: '1.0.0' });
  const second = await document({ ...request, version: '1.0.1' });
  await document({ ...request, version: '1.0.2' });
  expect(await document({ ...request, version: '1.0.1' })).toBe(second);
  expect(await document({ ...request, version: '1.0.0' })).not.toBe(first);

  const none = makeDocuments(0);
  expect(await none.document(request)).toBe(await none.document(request));
});
