// GET /api/v2/layers/data_versions/?pk=1&pk=2: of which state the rows of layers are, so that a page that shows them learns by one small request
// whether any of them changed. Layers that the caller does not see are not among them.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import { arrayOf, orNull, record, TEXT } from '../../description/schema.ts';
import { arrayText, type BoundValue, bound } from '../../fields/bound-value.ts';
import { type ApiContext, asRoute } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { parseQueryParams } from '../../query/query-params.ts';

const MAX_VERSIONED = 100;

export function registerDataVersionsPath(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/layers/data_versions',
    described({
      id: 'layers_data_versions',
      tag: 'layers',
      summary: {
        en: 'Versions of the rows of layers, to learn whether any of them changed',
        de: 'Versionen der Zeilen von Ebenen, um zu erfahren, ob sich welche geändert haben',
      },
      parameters: [
        {
          name: 'pk',
          in: 'query',
          schema: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: MAX_VERSIONED },
          example: [1, 2],
        },
      ],
      answers: {
        200: record({
          versions: arrayOf(
            record({
              pk: TEXT,
              version: {
                ...orNull(TEXT),
                description:
                  'Another one after every change of rows; null: changes are not noted, so look again from time to time.',
              },
            }),
          ),
        }),
      },
      refusals: [400],
    }),
    asRoute(context, async (exchange) => {
      const ids = parseQueryParams(exchange.query).all('pk');
      if (ids.length > MAX_VERSIONED || ids.some((id) => !/^[1-9]\d{0,8}$/.test(id)))
        return err({
          kind: 'invalid-fields',
          fields: { pk: [`Must be ${MAX_VERSIONED} numbers of layers at most.`] },
        });
      // Null: its rows are read through rules or parts whose changes nobody notes.
      const statement = exchange.statement(
        sql<BoundValue>`select json_build_object('versions', coalesce(json_agg(json_build_object('pk', s.id::text, 'version', case when s.cacheable then left(md5(s.data), 16) end)), '[]')) from (select distinct u.id from unnest(${bound(arrayText(ids))}::integer[]) u(id)) i cross join lateral portal.layer_stamp(i.id::text) s where s.id = i.id`,
      );
      const executed = await context.db.read(exchange.caller, exchange.info, [statement]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      return ok({
        status: 200,
        body: cellOf(executed.value[0])?.toString() ?? '{}',
        headers: { 'Cache-Control': 'no-store' },
      });
    }),
  );
}
