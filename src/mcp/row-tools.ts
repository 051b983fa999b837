// The tools over tables, which are requests to the REST service: describe, read rows, aggregate, write rows.

import { createHash } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parseExact, writeExact } from '../kernel/exact-numbers.ts';
import type { Answered } from './asking.ts';
import { layerNamed, sourceOfLayer } from './catalogue-records.ts';
import type { McpContext } from './mcp-context.ts';
import { describeTable, listTables } from './rest-description.ts';
import { cqlFilter, OPERATORS, type RowsQuery, restName, rowsQuery } from './rows-query.ts';
import { showRows } from './shorten.ts';
import { dataResult, refusal, refusalOf, type Source, type ToolResult } from './tool-result.ts';

/** Rows of one page, and of one write. */
const MAX_ROWS = 500;
const PAGE = 50;
const SAMPLE = 3;

const name = z.string().min(1).max(200);
const tableName = name.describe('Name of the table, as search_catalogue gives it');
const schemaName = name.optional().describe('Schema of the table, where the service has several');
const filters = z
  .array(
    z.strictObject({
      column: name,
      operator: z.enum(OPERATORS),
      value: z
        .union([
          z.string().max(2000),
          z.number(),
          z.boolean(),
          z.array(z.union([z.string().max(2000), z.number()])).max(200),
        ])
        .optional()
        .describe('One value; a list for in; nothing for is_null. like and ilike take * for any text'),
      negate: z.boolean().optional(),
    }),
  )
  .max(20)
  .optional()
  .describe('All of them have to match');

export function addTableTools(server: McpServer, context: McpContext): void {
  if (context.portal === undefined) addTableSearch(server, context);
  addReadRows(server, context);
  addAggregate(server, context);
  if (context.offersWriting) addWriteRows(server, context);
}

function addTableSearch(server: McpServer, context: McpContext): void {
  server.registerTool(
    'search_catalogue',
    {
      title: 'Search the tables',
      description:
        'Tables and views of this service whose name or comment has all the words; without words, all of them.',
      inputSchema: z.strictObject({ words: z.string().max(200).optional(), schema: schemaName }),
      annotations: READS,
    },
    async ({ words = '', schema }) => {
      const document = await descriptionOf(context, schema);
      if ('refused' in document) return document.refused;
      const tables = listTables(document.value, words);
      const said = `${tables.length} tables${tables.length > MAX_ROWS ? `, the first ${MAX_ROWS} of them. Add words` : ''}. Next: describe with the name of one.`;
      return dataResult(said, showRows(JSON.stringify(tables.slice(0, MAX_ROWS)), false).text);
    },
  );
  server.registerTool(
    'describe',
    {
      title: 'Describe a table',
      description:
        'Columns with types and comments, keys, related tables, how many rows there are, and three rows as an example.',
      inputSchema: z.strictObject({ table: tableName, schema: schemaName }),
      annotations: READS,
    },
    async ({ table, schema }) => {
      const described = await tableFacts(context, table, schema);
      if ('refused' in described) return described.refused;
      return dataResult(
        `Table ${JSON.stringify(table)}. Next: read_rows or aggregate.`,
        writeExact({ ...described.value, source: context.tableSource(table) }),
      );
    },
  );
}

function addReadRows(server: McpServer, context: McpContext): void {
  server.registerTool(
    'read_rows',
    {
      title: 'Read rows',
      description:
        'Rows of a table or vector layer, a page at a time. The answer names the next page. Long geometries and texts are shortened unless full is set.',
      inputSchema: z.strictObject({
        table: tableName,
        schema: schemaName,
        columns: z
          .array(z.string().min(1).max(500))
          .max(100)
          .optional()
          .describe('Columns to read, all without it. Rows of a related table: "orders(id,total)"'),
        filters,
        order: z
          .array(z.strictObject({ column: name, descending: z.boolean().optional() }))
          .max(5)
          .optional(),
        limit: z.number().int().min(1).max(MAX_ROWS).optional().describe(`Rows of this page, ${PAGE} without it`),
        after: z.string().max(4000).optional().describe('The cursor that the page before named as its next'),
        offset: z.number().int().min(0).max(1_000_000).optional().describe('Only for tables without a primary key'),
        full: z.boolean().optional().describe('Do not shorten geometries and texts'),
      }),
      annotations: READS,
    },
    async (asked) => {
      const { table, schema, full = false, limit = PAGE, offset } = asked;
      let query: RowsQuery = { ...asked, limit, offset, after: offset === undefined ? (asked.after ?? '') : undefined };
      let answered = await readTable(context, table, schema, rowsQuery(query));
      // Without a key there are no cursors.
      if (query.after === '' && saysCode(answered, '182')) {
        query = { ...query, after: undefined, offset: 0 };
        answered = await readTable(context, table, schema, rowsQuery(query));
      }
      if (!isRead(answered)) return refusalOf(answered, adviceFor(answered));
      let shown = answered.isWhole ? showRows(answered.body.toString('utf8'), full) : undefined;
      // The cursor stands behind the last row that was read: a page that does not fit is read again, as long as it may be.
      if (shown === undefined || shown.shown < shown.rows) {
        query = { ...query, limit: shown?.shown ?? Math.floor(limit / 10) };
        if (query.limit === 0)
          return refusal('A row is too long. Name the columns you need in columns, without geometry.');
        answered = await readTable(context, table, schema, rowsQuery(query));
        if (!isRead(answered) || !answered.isWhole) return refusalOf(answered);
        shown = showRows(answered.body.toString('utf8'), full);
      }
      const next = shown.shown === query.limit ? nextPage(answered, query.offset, shown.shown) : undefined;
      const source = await sourceOf(context, table);
      const facts = { table, rows: shown.shown, next_page: next ?? null, shortened: shown.isShortened, source };
      return dataResult(JSON.stringify(facts), shown.text);
    },
  );
}

type NextPage = { readonly after: string } | { readonly offset: number };

function nextPage({ headers }: Answered, offset: number | undefined, shown: number): NextPage | undefined {
  if (offset !== undefined) return { offset: offset + shown };
  const cursor = headers['next-cursor'];
  return typeof cursor === 'string' ? { after: cursor } : undefined;
}

function addAggregate(server: McpServer, context: McpContext): void {
  server.registerTool(
    'aggregate',
    {
      title: 'Count, add up, average',
      description:
        'One number for a table or vector layer, or one per value of a column, largest first: count, sum, avg, min or max.',
      inputSchema: z.strictObject({
        table: tableName,
        schema: schemaName,
        measure: z.enum(['count', 'sum', 'avg', 'min', 'max']),
        of: name.optional().describe('The column that is measured; not for count'),
        group: name.optional().describe('One number per value of this column'),
        filters,
        limit: z.number().int().min(1).max(100).optional().describe('Groups, 20 without it'),
      }),
      annotations: READS,
    },
    async ({ table, schema, measure, of, group, filters: conditions, limit = 20 }) => {
      if (measure !== 'count' && of === undefined) return refusal(`Name the column that ${measure} is of, in "of".`);
      const { portal } = context;
      const layer = portal === undefined ? undefined : await layerNamed(portal, table);
      if (portal !== undefined && layer !== undefined) {
        const pairs = new URLSearchParams({ measure, limit: String(limit) });
        if (of !== undefined && measure !== 'count') pairs.set('of', of);
        if (group !== undefined) pairs.set('group', group);
        const filter = cqlFilter(conditions);
        if (filter !== undefined) pairs.set('filter', filter);
        const path = `/ogc/collections/${encodeURIComponent(table)}/aggregates?${pairs}`;
        const answered = await portal.ask({ method: 'GET', path });
        if (answered.status !== 200 || !answered.isWhole) return refusalOf(answered);
        return dataResult(
          JSON.stringify({ table, source: sourceOfLayer(portal, layer) }),
          answered.body.toString('utf8'),
        );
      }
      const counts = group === undefined ? 'measure:count' : 'measure:count()';
      const value = of === undefined || measure === 'count' ? counts : `measure:${restName(of)}.${measure}()`;
      const columns = group === undefined ? [value] : [`value:${restName(group)}`, value];
      const order = group === undefined ? [] : [{ column: 'measure', descending: true }];
      const query = rowsQuery({ columns, filters: conditions, order, ...(group === undefined ? {} : { limit }) });
      const answered = await readTable(context, table, schema, query);
      if (!isRead(answered)) return refusalOf(answered, adviceFor(answered));
      return dataResult(
        JSON.stringify({ table, source: await sourceOf(context, table) }),
        showRows(answered.body.toString('utf8'), false).text,
      );
    },
  );
}

function addWriteRows(server: McpServer, context: McpContext): void {
  server.registerTool(
    'write_rows',
    {
      title: 'Write rows',
      description:
        'Inserts, updates or deletes rows. The first call is always a dry run, which the database undoes: it says what would happen, and a confirm code. Show that to the person; the same call with the code then writes.',
      inputSchema: z.strictObject({
        table: tableName,
        schema: schemaName,
        action: z.enum(['insert', 'update', 'delete']),
        rows: z.array(z.record(z.string(), z.unknown())).min(1).max(MAX_ROWS).optional().describe('To insert'),
        set: z.record(z.string(), z.unknown()).optional().describe('New values, for update'),
        filters: filters.describe('Which rows are updated or deleted; required for both'),
        confirm: z.string().max(100).optional().describe('The code of the dry run, once the person has agreed'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    async ({ confirm, ...asked }) => {
      const { table, schema, action, rows, set, filters: conditions = [] } = asked;
      if (action === 'insert' && rows === undefined) return refusal('Give the new rows in "rows".');
      if (action === 'update' && set === undefined) return refusal('Give the new values in "set".');
      if (action !== 'insert' && conditions.length === 0)
        return refusal(`Say which rows to ${action} in "filters": without any, it would be the whole table.`);
      const [most, code] = confirm === undefined ? [MAX_ROWS, undefined] : readCode(confirm);
      if (confirm !== undefined && code !== codeOf(asked))
        return refusal(
          'The confirm code is not of these arguments. Call without confirm first, and show the person what would happen.',
        );
      const isDryRun = confirm === undefined;
      const path = `/${encodeURIComponent(table)}${action === 'insert' ? '' : `?${rowsQuery({ filters: conditions })}`}`;
      const prefer = [
        'return=representation',
        'handling=strict',
        ...(action === 'insert' ? [] : [`max-affected=${most}`]),
        `tx=${isDryRun ? 'rollback' : 'commit'}`,
      ].join(', ');
      const answered = await context.rest({
        method: METHODS[action],
        path,
        headers: { prefer, ...profile(schema, 'content-profile') },
        ...(action === 'insert' ? { json: rows } : action === 'update' ? { json: set } : {}),
      });
      if (answered.status >= 300) return refusalOf(answered, adviceFor(answered));
      const shown = answered.isWhole ? showRows(answered.body.toString('utf8'), false) : undefined;
      const count = shown?.rows ?? MAX_ROWS;
      const said = isDryRun
        ? `Dry run: this would ${action} ${count} rows, and was undone. Show it to the person. If they agree, call again with confirm: "${count}-${codeOf(asked)}".`
        : `Done: ${action} of ${count} rows.`;
      return dataResult(said, shown?.text ?? '[]');
    },
  );
}

const METHODS = { insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

/** No secret: it keeps a model from writing what nobody has been shown. Who may write, the database says. */
function codeOf(asked: unknown): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 12);
}

/** As many rows as the dry run had may be changed, and no more. */
function readCode(confirm: string): [most: number, code: string] {
  const at = confirm.indexOf('-');
  const most = Number(confirm.slice(0, Math.max(0, at)));
  return [Number.isInteger(most) && most >= 0 && most <= MAX_ROWS ? most : 0, confirm.slice(at + 1)];
}

export const READS = { readOnlyHint: true, openWorldHint: false } as const;

function readTable(
  { rest }: McpContext,
  table: string,
  schema: string | undefined,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const path = `/${encodeURIComponent(table)}${query === '' ? '' : `?${query}`}`;
  return rest({ method: 'GET', path, headers: { ...headers, ...profile(schema, 'accept-profile') } });
}

function profile(schema: string | undefined, header: string): Record<string, string> {
  return schema === undefined ? {} : { [header]: schema };
}

function isRead({ status }: Answered): boolean {
  return status === 200 || status === 206;
}

/** Codes end alike, whatever they are set to begin with. */
function saysCode({ status, headers }: Answered, number: string): boolean {
  return status === 400 && String(headers['proxy-status'] ?? '').endsWith(number);
}

function adviceFor(answered: Answered): string | undefined {
  if (saysCode(answered, '192'))
    return 'The query would cost too much. Filter more narrowly, by columns that have an index, or read fewer rows.';
  if (saysCode(answered, '123'))
    return 'This service does not aggregate (db-aggregates-enabled). Read the rows and compute it yourself, if they are few.';
  if (saysCode(answered, '124')) return 'More rows match than the dry run found. Repeat the dry run.';
  return undefined;
}

type Or<T> = { readonly value: T } | { readonly refused: ToolResult };

async function descriptionOf({ rest }: McpContext, schema: string | undefined): Promise<Or<unknown>> {
  const answered = await rest({
    method: 'GET',
    path: '/',
    headers: { accept: 'application/openapi+json', ...profile(schema, 'accept-profile') },
  });
  if (answered.status !== 200 || !answered.isWhole)
    return {
      refused: refusalOf(
        answered,
        'This service does not describe itself. Ask the person for names of tables and columns, and use read_rows.',
      ),
    };
  return { value: JSON.parse(answered.body.toString('utf8')) };
}

/** What the service says of a table, how many rows there are about, and a few of them. */
export async function tableFacts(
  context: McpContext,
  table: string,
  schema: string | undefined,
): Promise<Or<Readonly<Record<string, unknown>>>> {
  const document = await descriptionOf(context, schema);
  if ('refused' in document) return document;
  const described = describeTable(document.value, table);
  const sample = await readTable(context, table, schema, `limit=${SAMPLE}`, { prefer: 'count=estimated' });
  if (described === undefined) return { refused: refusalOf({ ...sample, status: 404 }) };
  const total = /\/(\d+)$/.exec(String(sample.headers['content-range'] ?? ''))?.[1];
  return {
    value: {
      ...described,
      ...(total === undefined ? {} : { rows_about: Number(total) }),
      sample:
        isRead(sample) && sample.isWhole
          ? parseExact(showRows(sample.body.toString('utf8'), false).text)
          : 'The caller may not read its rows.',
    },
  };
}

async function sourceOf(context: McpContext, table: string): Promise<Source> {
  const { portal } = context;
  const layer = portal === undefined ? undefined : await layerNamed(portal, table);
  return portal === undefined || layer === undefined ? context.tableSource(table) : sourceOfLayer(portal, layer);
}
