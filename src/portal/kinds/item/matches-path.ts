// GET /api/v2/resources/matches/?search=…&pk=1&pk=2: where in these items the words of a search stand, so that they can be shown: words of title
// and abstract as they are written there, keywords, categories, regions and attributes that have one, and whether a misspelt word was guessed.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import { arrayOf, record, TEXT } from '../../description/schema.ts';
import { arrayText, type BoundValue, bound } from '../../fields/bound-value.ts';
import { type ApiContext, asRoute } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { MAX_WORDS, searchWords } from '../../query/search-terms.ts';

const MAX_MATCHED = 100;

export function registerMatchesPath(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/resources/matches',
    described({
      id: 'resources_matches',
      tag: 'resources',
      summary: {
        en: 'Where the words of a search stand in some items, to be shown',
        de: 'Wo die Wörter einer Suche in einigen Einträgen stehen, um sie zu zeigen',
      },
      parameters: [
        { name: 'search', in: 'query', required: true, schema: TEXT },
        {
          name: 'pk',
          in: 'query',
          required: true,
          schema: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: MAX_MATCHED },
        },
      ],
      answers: {
        200: record({
          exact: { type: 'boolean', description: 'Nothing was guessed: the items have the words themselves.' },
          matches: arrayOf(record({ pk: TEXT, words: arrayOf(TEXT), terms: arrayOf(TEXT) })),
        }),
      },
      refusals: [400],
    }),
    asRoute(context, async (exchange) => {
      const params = new URLSearchParams(exchange.query);
      const words = searchWords(params.get('search') ?? '');
      const ids = [...new Set(params.getAll('pk'))];
      if (words.length > MAX_WORDS)
        return err({ kind: 'invalid-fields', fields: { search: [`A search takes ${MAX_WORDS} words at most.`] } });
      if (ids.length > MAX_MATCHED || ids.some((id) => !/^[1-9]\d{0,8}$/.test(id)))
        return err({ kind: 'invalid-fields', fields: { pk: [`Must be ${MAX_MATCHED} numbers of items at most.`] } });
      const statement = exchange.statement(
        sql<BoundValue>`select portal.search_matches(${bound(arrayText(words))}::text[], ${bound(arrayText(ids))}::integer[])`,
      );
      const executed = await context.db.read(exchange.caller, exchange.info, [statement]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      return ok({ status: 200, body: cellOf(executed.value[0])?.toString() ?? '{}' });
    }),
  );
}
