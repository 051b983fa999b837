// /api/v2/upload-size-limits/: how large files may be, in the words of GeoNode's clients, which ask before they send. The program's settings are the
// most that it takes; administrators set less, and take that back.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import { pageSchema, record, reference, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Answer, asAccountRoute, asRoute, type Exchange, json } from '../operations/exchange.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { type LimitSlug, sizeLimit, sizeLimitStatement } from '../operations/size-limit.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import type { PortalContext } from '../portal-context.ts';

export type SizeLimits = {
  /** Bytes of all files of a layer together. */
  readonly datasetBytes: number;
  /** Undefined: no documents are taken. */
  readonly documentBytes: number | undefined;
};

type Limit = { readonly slug: LimitSlug; readonly description: string; readonly most: number };

const LIST = '/api/v2/upload-size-limits';
const ONE = `${LIST}/:slug`;

export function registerSizeLimits(app: FastifyInstance, portal: PortalContext, limits: SizeLimits): void {
  const { db } = portal;
  const { datasetBytes, documentBytes } = limits;
  const all: readonly Limit[] = [
    { slug: 'dataset_upload_size', description: 'All files of a layer together.', most: datasetBytes },
    ...(documentBytes === undefined
      ? []
      : [{ slug: 'document_upload_size', description: 'The file of a document.', most: documentBytes } as const]),
  ];
  const asked = ({ request }: Exchange): Limit | undefined =>
    all.find(({ slug }) => slug === (request.params as { readonly slug?: string }).slug);
  const read = async ({ caller, info }: Exchange, wanted: readonly Limit[]): Promise<Result<object[], PortalError>> => {
    const executed = await db.read(
      caller,
      info,
      wanted.map(({ slug }) => sizeLimitStatement(slug)),
    );
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    return ok(wanted.map((limit, i) => shown(limit, sizeLimit(executed.value[i], limit.most))));
  };

  const list = asRoute(portal, async (exchange) => {
    const found = await read(exchange, all);
    if (!found.ok) return found;
    const total = found.value.length;
    const links = { next: null, previous: null };
    return ok(json(200, { links, total, page: 1, page_size: total, 'upload-size-limits': found.value }));
  });
  app.get(
    LIST,
    described({ ...ANY, id: 'upload_size_limits_list', answers: { 200: pageSchema('upload-size-limits', LIMIT) } }),
    list,
  );
  app.get(
    ONE,
    described({
      ...ANY,
      id: 'upload_size_limits_read',
      parameters: [SLUG],
      answers: { 200: record({ 'upload-size-limit': LIMIT }) },
    }),
    asRoute(portal, async (exchange) => {
      const limit = asked(exchange);
      const found = limit === undefined ? err({ kind: 'not-found' } as const) : await read(exchange, [limit]);
      return found.ok ? ok(json(200, { 'upload-size-limit': found.value[0] })) : found;
    }),
  );

  const set = async (exchange: Exchange, limit: Limit, body: unknown): Promise<Result<number, PortalError>> => {
    const bytes = parseSize(body, limit.most);
    if (!bytes.ok) return bytes;
    const statement = {
      text: `insert into portal.upload_size_limit (slug, max_size) values ($1, $2)
             on conflict (slug) do update set max_size = excluded.max_size`,
      params: [limit.slug, String(bytes.value)],
    };
    const executed = await db.write(exchange.caller, exchange.info, [statement]);
    return executed.ok ? bytes : err({ kind: 'database', error: executed.error });
  };
  const write = async (exchange: Exchange): Promise<Result<Answer, PortalError>> => {
    const limit = asked(exchange);
    if (limit === undefined) return err({ kind: 'not-found' });
    const body = await bodyOf(exchange);
    const done = body.ok ? await set(exchange, limit, body.value) : body;
    return done.ok ? ok(json(200, { meta: { updated: 1 } })) : done;
  };
  app.post(
    LIST,
    described({
      ...ANY,
      id: 'upload_size_limits_create',
      summary: {
        en: 'Set how large files may be, as clients of GeoNode do; for administrators',
        de: 'Festlegen, wie groß Dateien sein dürfen, wie Clients von GeoNode es tun; für Administratoren',
      },
      body: record({ slug: LIMIT_SLUG, max_size: LIMIT_BYTES }),
      examples: { less: { slug: 'dataset_upload_size', max_size: 50_000_000 } },
      answers: { 201: record({ 'upload-size-limit': LIMIT }) },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(portal, async (exchange) => {
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const slug = isMembers(body.value) ? body.value['slug'] : undefined;
      const limit = all.find((one) => one.slug === slug);
      if (limit === undefined)
        return err({ kind: 'invalid-fields', fields: { slug: [`One of ${all.map((one) => one.slug).join(', ')}.`] } });
      const done = await set(exchange, limit, body.value);
      return done.ok ? ok(json(201, { 'upload-size-limit': shown(limit, done.value) })) : done;
    }),
  );
  const changed = {
    ...ANY,
    summary: {
      en: 'Set how large files may be; for administrators',
      de: 'Festlegen, wie groß Dateien sein dürfen; für Administratoren',
    },
    parameters: [SLUG],
    body: record({ max_size: LIMIT_BYTES }),
    examples: { less: { max_size: 50_000_000 } },
    answers: { 200: reference('Updated') },
    refusals: [400, 401, 403, 404],
  } as const;
  app.put(ONE, described({ ...changed, id: 'upload_size_limits_replace' }), asAccountRoute(portal, write));
  app.patch(ONE, described({ ...changed, id: 'upload_size_limits_change' }), asAccountRoute(portal, write));
  app.delete(
    ONE,
    described({
      ...ANY,
      id: 'upload_size_limits_delete',
      summary: {
        en: "Back to the program's own limit; for administrators",
        de: 'Zurück zur Grenze des Programms; für Administratoren',
      },
      parameters: [SLUG],
      answers: { 204: undefined },
      refusals: [401, 403, 404],
    }),
    asAccountRoute(portal, async (exchange) => {
      const limit = asked(exchange);
      if (limit === undefined) return err({ kind: 'not-found' });
      const statement = { text: 'delete from portal.upload_size_limit where slug = $1', params: [limit.slug] };
      const executed = await db.write(exchange.caller, exchange.info, [statement]);
      return executed.ok ? ok({ status: 204 }) : err({ kind: 'database', error: executed.error });
    }),
  );
}

/** `{"max_size": 50000000}`, also in the form it is read in. */
function parseSize(body: unknown, most: number): Result<number, PortalError> {
  const refuse = (field: string, said: string): Result<never, PortalError> =>
    err({ kind: 'invalid-fields', fields: { [field]: [said] } });
  if (!isMembers(body)) return refuse('non_field_errors', expectedObject(kindOf(body)));
  const { 'upload-size-limit': wrapped } = body;
  const { max_size: bytes } = isMembers(wrapped) ? wrapped : body;
  if (bytes === undefined) return refuse('max_size', 'This field is required.');
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 1)
    return refuse('max_size', 'A whole number of bytes is wanted, 1 at least.');
  if (bytes > most) return refuse('max_size', `At most ${most}: the settings of the program take no more.`);
  return ok(bytes);
}

function shown({ slug, description }: Limit, bytes: number): object {
  return { slug, description, max_size: bytes, max_size_label: labelOf(bytes) };
}

/** `1.5 GB`: in powers of 1024, as GeoNode's pages have it. */
function labelOf(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(bytes) / 10)));
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power]}`;
}

const SLUG = { name: 'slug', in: 'path', schema: TEXT } as const;
const LIMIT_BYTES: Schema = { type: 'integer', minimum: 1, description: 'In bytes.' };

const LIMIT_SLUG: Schema = { type: 'string', enum: ['dataset_upload_size', 'document_upload_size'] };

const LIMIT: Schema = record({
  slug: LIMIT_SLUG,
  description: TEXT,
  max_size: LIMIT_BYTES,
  max_size_label: TEXT,
});

const ANY = {
  tag: 'uploads',
  summary: { en: 'How large files may be', de: 'Wie groß Dateien sein dürfen' },
  refusals: [404],
} as const satisfies Partial<Described>;
