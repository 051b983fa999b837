// GET /api/v2/layers/data_versions/?pk=1&pk=2: of which state the rows of layers are, so that a page that shows them learns by one small request
// whether any of them changed. Layers that the caller does not see are not among them.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { arrayText, type BoundValue, bound } from '../../fields/bound-value.ts';
import { type ApiContext, asRoute } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { parseQueryParams } from '../../query/query-params.ts';

export const MOST_VERSIONED = 100;

export function registerDataVersionsPath(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/layers/data_versions',
    asRoute(context, async (exchange) => {
      const ids = parseQueryParams(exchange.query).all('pk');
      if (ids.length > MOST_VERSIONED || ids.some((id) => !/^[1-9]\d{0,8}$/.test(id)))
        return err({
          kind: 'invalid-fields',
          fields: { pk: [`Must be ${MOST_VERSIONED} numbers of layers at most.`] },
        });
      // Null: its rows are read through rules or parts whose changes nobody notes.
      const statement = exchange.statement(
        sql<BoundValue>`select json_build_object('versions', coalesce(json_agg(json_build_object('pk', s.id::text, 'version', case when s.cacheable then left(md5(s.data), 16) end)), '[]')) from (select distinct u.id from unnest(${bound(arrayText(ids))}::integer[]) u(id)) i cross join lateral portal.layer_stamp(i.id::text) s where s.id = i.id`,
      );
      const flown = await context.db.read(exchange.caller, exchange.info, [statement]);
      if (!flown.ok) return err({ kind: 'database', error: flown.error });
      return ok({
        status: 200,
        body: cellOf(flown.value[0])?.toString() ?? '{}',
        headers: { 'Cache-Control': 'no-store' },
      });
    }),
  );
}
