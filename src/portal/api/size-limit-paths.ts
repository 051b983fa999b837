// /api/v2/upload-size-limits/: how large files may be, in the words of GeoNode's clients, which ask before they send. Read only: the
// limits are settings of the program.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import { pageSchema, record, type Schema, TEXT } from '../description/schema.ts';
import { asRoute, json } from '../operations/exchange.ts';
import type { PortalContext } from '../portal-context.ts';

export type SizeLimits = {
  /** Bytes of all files of a layer together. */
  readonly datasetBytes: number;
  /** Undefined: no documents are taken. */
  readonly documentBytes: number | undefined;
};

export function registerSizeLimits(app: FastifyInstance, portal: PortalContext, limits: SizeLimits): void {
  const { datasetBytes, documentBytes } = limits;
  const all = [
    limitOf('dataset_upload_size', 'All files of a layer together.', datasetBytes),
    ...(documentBytes === undefined ? [] : [limitOf('document_upload_size', 'The file of a document.', documentBytes)]),
  ];
  app.get(
    '/api/v2/upload-size-limits',
    described({ ...ANY, id: 'upload_size_limits_list', answers: { 200: pageSchema('upload-size-limits', LIMIT) } }),
    asRoute(portal, async () =>
      ok(
        json(200, {
          links: { next: null, previous: null },
          total: all.length,
          page: 1,
          page_size: all.length,
          'upload-size-limits': all,
        }),
      ),
    ),
  );
  app.get(
    '/api/v2/upload-size-limits/:slug',
    described({
      ...ANY,
      id: 'upload_size_limits_read',
      parameters: [{ name: 'slug', in: 'path', schema: TEXT }],
      answers: { 200: record({ 'upload-size-limit': LIMIT }) },
    }),
    asRoute(portal, async ({ request }) => {
      const found = all.find(({ slug }) => slug === (request.params as { readonly slug?: string }).slug);
      return found === undefined ? err({ kind: 'not-found' }) : ok(json(200, { 'upload-size-limit': found }));
    }),
  );
}

function limitOf(slug: string, description: string, bytes: number) {
  return { slug, description, max_size: bytes, max_size_label: labelOf(bytes) };
}

/** `1.5 GB`: in powers of 1024, as GeoNode's pages have it. */
function labelOf(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(bytes) / 10)));
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power]}`;
}

const LIMIT: Schema = record({
  slug: { type: 'string', enum: ['dataset_upload_size', 'document_upload_size'] },
  description: TEXT,
  max_size: { type: 'integer', minimum: 0, description: 'In bytes.' },
  max_size_label: TEXT,
});

const ANY = {
  tag: 'uploads',
  summary: { en: 'How large files may be', de: 'Wie groß Dateien sein dürfen' },
  refusals: [404],
} as const satisfies Partial<Described>;
