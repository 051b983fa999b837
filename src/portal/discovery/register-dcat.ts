// The catalogue as DCAT-AP in JSON-LD at `/dcat/catalog.jsonld`, page by page, for portals that harvest others.

import type { FastifyInstance } from 'fastify';
import { ok } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import { DCAT_CONTEXT, dcatDataset } from '../metadata/write-dcat.ts';
import { type ApiContext, asRoute } from '../operations/exchange.ts';
import { DCAT_DESCRIBED } from './discovery-described.ts';
import type { RecordSource } from './find-records.ts';
import { readListParams, wrong } from './list-params.ts';
import { answer } from './register-records.ts';

const PAGE = 100;

export function registerDcat(app: FastifyInstance, context: ApiContext, find: RecordSource): void {
  app.get(
    '/dcat/catalog.jsonld',
    described(DCAT_DESCRIBED),
    asRoute(context, async (exchange) => {
      const params = readListParams(exchange.query, ['page']);
      if (!params.ok) return params;
      const page = params.value.get('page') ?? '1';
      if (!/^[1-9]\d{0,5}$/.test(page)) return wrong('page is a whole number above 0.');
      const offset = (Number(page) - 1) * PAGE;
      const found = await find(exchange, { offset, limit: PAGE });
      if (!found.ok) return found;
      const { total, records } = found.value;
      const address = `${exchange.base}/dcat/catalog.jsonld`;
      const at = (number: number): string => (number === 1 ? address : `${address}?page=${number}`);
      const last = Math.max(1, Math.ceil(total / PAGE));
      const body = {
        '@context': { ...DCAT_CONTEXT, hydra: 'http://www.w3.org/ns/hydra/core#' },
        '@graph': [
          {
            '@id': `${exchange.base}/`,
            '@type': 'dcat:Catalog',
            'dct:title': 'Catalogue',
            'dct:description': 'Everything in the portal that the caller sees.',
            'dct:publisher': { '@type': 'foaf:Agent', 'foaf:name': 'Survest' },
            'foaf:homepage': { '@id': `${exchange.base}/` },
            'dcat:dataset': records.map(dcatDataset),
          },
          {
            '@id': at(Number(page)),
            '@type': 'hydra:PartialCollectionView',
            'hydra:totalItems': total,
            'hydra:first': at(1),
            'hydra:last': at(last),
            ...(Number(page) > 1 ? { 'hydra:previous': at(Number(page) - 1) } : {}),
            ...(Number(page) < last ? { 'hydra:next': at(Number(page) + 1) } : {}),
          },
        ],
      };
      return ok(answer(body, 'application/ld+json'));
    }),
  );
}
