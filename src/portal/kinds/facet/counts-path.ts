// GET /api/v2/resources/facets/: what a search can be narrowed by, with the number of items behind each value. It takes the query
// of the list; `page_size` is how many values each facet shows.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { Collection } from '../../operations/collection.ts';
import { type Answer, type ApiContext, asRoute, type Exchange } from '../../operations/exchange.ts';
import { planOf, readFailure, withFreshPlan, withTimeLimit } from '../../operations/read.ts';
import { parseCatalogueQuery } from '../../query/catalogue-query.ts';
import { facetsSql } from '../../query/facets.ts';
import { countsOf } from './facets-described.ts';

export function registerFacetPath(app: FastifyInstance, context: ApiContext, resources: Collection): void {
  app.get(
    `${resources.path}/facets`,
    described(countsOf(resources)),
    asRoute(context, (exchange) => readFacets(context, exchange, resources)),
  );
}

async function readFacets(
  { db }: ApiContext,
  exchange: Exchange,
  resources: Collection,
): Promise<Result<Answer, PortalError>> {
  const query = parseCatalogueQuery(exchange.query, resources.rules);
  if (!query.ok) return query;
  const plan = planOf(resources, query.value, exchange);
  const statement = exchange.statement(facetsSql(plan, query.value.pageSize));
  // Of the whole catalogue the counts are known, and there is nothing to plan.
  const planned = query.value.conditions.length === 0 ? [statement] : withFreshPlan([statement]);
  const statements = withTimeLimit(query.value, planned);
  const executed = await db.read(exchange.caller, exchange.info, statements);
  if (!executed.ok) return err(readFailure(executed.error, query.value));
  const [total, facets] = executed.value.at(-1)?.rows[0] ?? [];
  return ok({ status: 200, body: `{"total":${total ?? 0},"facets":${facets ?? '[]'}}` });
}
