// `/api/v2/layers/{id}/provenance`: where the data of a layer came from, when they were renewed last and by what, how that compares with the declared cadence, and
// what was made of them.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described, tagOf } from '../description/described-route.ts';
import { arrayOf, INTEGER, MOMENT, orNull, record, TEXT } from '../description/schema.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { FRESHNESS } from '../kinds/item/freshness.ts';
import { type ApiContext, asRoute } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { pathId } from '../operations/register-collection.ts';

export function registerProvenancePaths(app: FastifyInstance, context: ApiContext, paths: readonly string[]): void {
  for (const path of paths)
    app.get(
      `${path}/:id/provenance`,
      described({
        id: `${tagOf(path)}_provenance`,
        tag: tagOf(path),
        summary: {
          en: 'Where the data came from, when they were renewed last and by what, whether that is as often as declared, and what was made of them',
          de: 'Woher die Daten stammen, wann und wodurch sie zuletzt erneuert wurden, ob das so oft geschieht wie angegeben, und was aus ihnen gemacht wurde',
        },
        answers: { 200: record({ provenance: PROVENANCE }) },
        refusals: [400, 404],
      }),
      asRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const asked = exchange.statement(
          sql<BoundValue>`select jsonb_build_object('provenance', portal.provenance(${bound(String(id))}::integer))`,
        );
        const executed = await context.db.read(exchange.caller, exchange.info, [asked]);
        if (!executed.ok) return err({ kind: 'database', error: executed.error });
        return ok({ status: 200, body: cellOf(executed.value[0])?.toString() ?? '{}' });
      }),
    );
}

const PROVENANCE = record({
  source: {
    type: 'string',
    enum: ['upload', 'form', 'process', 'table', 'service'],
    description: 'A file, a form of this portal, a process, a table of the database, another service.',
  },
  created: MOMENT,
  updated: { ...orNull(MOMENT), description: 'When the data were renewed last; null: nobody has noted it.' },
  how: {
    type: 'string',
    enum: ['upload', 'edit', 'process', 'service', null],
    nullable: true,
    description: 'By what; null: not since the layer was made.',
  },
  by: { ...orNull(TEXT), description: 'The account, for who may take the data away.' },
  of: { ...orNull(TEXT), description: 'The file, process or service, for who may take the data away.' },
  frequency: { ...orNull(TEXT), description: 'How often it is renewed, as declared.' },
  due: { ...orNull(MOMENT), description: 'When it is to be renewed next.' },
  freshness: { type: 'string', enum: [...FRESHNESS, null], nullable: true },
  made: arrayOf(record({ id: INTEGER, title: TEXT })),
});
