// GET /api/v2/audit/: the audit log for administrators, newest first, in pages (`before`, `limit`), by act, actor, name and time, as JSON,
// NDJSON or CSV (`export`). Who may read it, the database says.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, INTEGER, MOMENT, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';

const AUDIT_FORMATS = ['json', 'ndjson', 'csv'] as const;
type Format = (typeof AUDIT_FORMATS)[number];

const COLUMNS = ['id', 'at', 'actor', 'actor_name', 'act', 'subject', 'subject_id', 'name', 'detail'] as const;
type Entry = Readonly<Record<(typeof COLUMNS)[number], unknown>>;

const PARAMETERS: ReadonlySet<string> = new Set([
  'before',
  'limit',
  'export',
  'act',
  'actor',
  'name',
  'since',
  'until',
]);
const USUAL = 100;
const MAX_ENTRIES = 10_000;

type Asked = {
  readonly before: string | null;
  readonly limit: number;
  readonly format: Format;
  /** Any of these. */
  readonly acts: readonly string[];
  readonly actor: string | null;
  /** A part of the name of what it is about. */
  readonly name: string | null;
  readonly since: string | null;
  readonly until: string | null;
};

const MAX_ACTS = 50;
const MAX_TEXT = 300;

export function registerAuditPaths(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/audit',
    described({
      id: 'audit_list',
      tag: 'settings',
      summary: {
        en: 'The audit log, newest first; for administrators',
        de: 'Das Protokoll, neueste Einträge zuerst; für Administratoren',
      },
      parameters: [
        { name: 'before', in: 'query', schema: { type: 'integer', minimum: 1 } },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MAX_ENTRIES, default: USUAL } },
        { name: 'act', in: 'query', schema: TEXT },
        { name: 'actor', in: 'query', schema: TEXT },
        { name: 'name', in: 'query', schema: TEXT },
        { name: 'since', in: 'query', schema: MOMENT },
        { name: 'until', in: 'query', schema: MOMENT },
        { name: 'export', in: 'query', schema: { type: 'string', enum: AUDIT_FORMATS, default: 'json' } },
      ],
      answers: { 200: AUDIT },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, (exchange) => readAudit(context, exchange)),
  );
}

async function readAudit({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const asked = parseAsked(exchange.query);
  if (!asked.ok) return asked;
  const { before, limit, format, acts, actor, name, since, until } = asked.value;
  const wanted = acts.length === 0 ? null : JSON.stringify(acts);
  const statement = exchange.statement(
    sql<BoundValue>`select coalesce(json_agg(e order by e.id desc), '[]') from portal.find_audit_entries(${bound(before)}::bigint, ${bound(String(limit))}::integer, case when ${bound(wanted)}::jsonb is not null then array(select jsonb_array_elements_text(${bound(wanted)}::jsonb)) end, ${bound(actor)}, ${bound(name)}, ${bound(since)}::timestamptz, ${bound(until)}::timestamptz) e`,
  );
  const executed = await db.read(exchange.caller, exchange.info, [statement]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const read = JSON.parse(cellOf(executed.value[0])?.toString() ?? '[]') as readonly Entry[];
  const entries = read.map((entry): Entry => ({ ...entry, at: new Date(String(entry.at)).toISOString() }));
  const last = entries.length === limit ? entries.at(-1)?.id : undefined;
  const next =
    last === undefined ? null : `${exchange.base}/api/v2/audit/?${nextQuery(exchange.query, String(last), limit)}`;
  const headers: Record<string, string> = next === null ? {} : { Link: `<${next}>; rel="next"` };
  switch (format) {
    case 'json':
      return ok({ status: 200, body: JSON.stringify({ entries, next }), headers });
    case 'ndjson':
      return ok({
        status: 200,
        body: entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
        headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
      });
    case 'csv':
      return ok({
        status: 200,
        body: [
          COLUMNS.join(','),
          ...entries.map((entry) => COLUMNS.map((name) => csvCell(entry[name])).join(',')),
        ].join('\r\n'),
        headers: { ...headers, 'Content-Type': 'text/csv; charset=utf-8' },
      });
  }
}

/** The same question, further down. */
function nextQuery(text: string, last: string, limit: number): string {
  const query = new URLSearchParams(text);
  query.set('before', last);
  query.set('limit', String(limit));
  return query.toString();
}

function parseAsked(text: string): Result<Asked, PortalError> {
  const query = new URLSearchParams(text);
  const before = query.get('before');
  const limit = query.get('limit') ?? String(USUAL);
  const format = AUDIT_FORMATS.find((known) => known === (query.get('export') ?? 'json'));
  const fields: Record<string, string[]> = {};
  // A parameter that nothing reads would be a page that nobody asked for.
  for (const name of query.keys())
    if (!PARAMETERS.has(name)) fields[name] = [`Not a parameter of the audit log: ${[...PARAMETERS].join(', ')} are.`];
  if (before !== null && !/^\d{1,18}$/.test(before)) fields['before'] = ['Must be the id of an entry.'];
  if (!/^\d{1,5}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_ENTRIES)
    fields['limit'] = [`Must be a number from 1 to ${MAX_ENTRIES}.`];
  const texts = { actor: query.get('actor'), name: query.get('name') };
  for (const [name, value] of Object.entries(texts))
    if (value !== null && (value.length > MAX_TEXT || value.includes('\0')))
      fields[name] = [`Must be text of at most ${MAX_TEXT} characters.`];
  const acts = query.getAll('act');
  if (acts.length > MAX_ACTS || acts.some((act) => !/^[a-z-]{1,50}$/.test(act)))
    fields['act'] = [`Must be the name of an act; ${MAX_ACTS} at most.`];
  const times = { since: query.get('since'), until: query.get('until') };
  for (const [name, value] of Object.entries(times))
    if (value !== null && !isMoment(value)) fields[name] = ['Must be a date and time, such as 2026-01-31T12:00:00Z.'];
  if (format === undefined) fields['export'] = [`Must be one of ${AUDIT_FORMATS.join(', ')}.`];
  if (format === undefined || Object.keys(fields).length > 0) return err({ kind: 'invalid-fields', fields });
  return ok({ before, limit: Number(limit), format, acts, ...texts, ...times });
}

/** As PostgreSQL reads it, without its words for moments. */
function isMoment(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

/** What strangers have typed stands in names: a spreadsheet must not take it for a formula. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const AUDIT: Schema = record({
  entries: arrayOf(
    record({
      id: INTEGER,
      at: MOMENT,
      actor: orNull(INTEGER),
      actor_name: orNull(TEXT),
      act: TEXT,
      subject: TEXT,
      subject_id: orNull(INTEGER),
      name: orNull(TEXT),
      detail: {},
    }),
  ),
  next: orNull(TEXT),
});
