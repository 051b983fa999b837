// What a layer was made of by a process, and the same made again: `/api/v2/layers/{id}/lineage`. Making it again replaces its rows, as a file would,
// with what the caller may read of the sources now.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessFault } from '../../layer-ports/process.ts';
import { sql } from '../../sql/index.ts';
import { described, tagOf } from '../description/described-route.ts';
import { arrayOf, FLAG, INTEGER, MOMENT, orNull, record, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { asAccountRoute, asRoute, type Exchange, json } from '../operations/exchange.ts';
import { pathId } from '../operations/register-collection.ts';
import { isMembers, type Members } from '../operations/write/body-forms.ts';
import type { PortalContext } from '../portal-context.ts';
import { createExecution } from './create-execution.ts';
import type { ProcessParts } from './process-routes.ts';
import { NO_ROOM } from './processes-described.ts';

export function registerLineagePaths(
  app: FastifyInstance,
  context: PortalContext,
  { processes, jobs }: ProcessParts,
  paths: readonly string[],
): void {
  const { db } = context;

  /** Undefined: no process made it. */
  async function lineageOf(exchange: Exchange, id: number): Promise<Result<Members | undefined, PortalError>> {
    const asked = exchange.statement(sql<BoundValue>`select portal.layer_lineage(${bound(String(id))}::integer)`);
    const executed = await db.read(exchange.caller, exchange.info, [asked]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    const found: unknown = JSON.parse(executed.value[0]?.rows[0]?.[0]?.toString() ?? 'null');
    return ok(isMembers(found) ? found : undefined);
  }

  for (const path of paths) {
    app.get(
      `${path}/:id/lineage`,
      described({
        id: `${tagOf(path)}_lineage`,
        tag: tagOf(path),
        summary: {
          en: 'What a process made the layer of, and whether that has changed since',
          de: 'Woraus ein Prozess den Layer gemacht hat, und ob sich das seither geändert hat',
        },
        answers: { 200: record({ lineage: orNull(LINEAGE) }) },
        refusals: [400, 404],
      }),
      asRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const found = await lineageOf(exchange, id);
        return found.ok ? ok(json(200, { lineage: found.value ?? null })) : found;
      }),
    );
    app.post(
      `${path}/:id/lineage/refresh`,
      described({
        id: `${tagOf(path)}_lineage_refresh`,
        tag: tagOf(path),
        summary: {
          en: 'Make the layer again of what it was made of, as a job that replaces its rows',
          de: 'Den Layer aus dem, woraus er gemacht wurde, neu machen: ein Auftrag, der seine Zeilen ersetzt',
        },
        answers: { 201: record({ jobID: { type: 'string', format: 'uuid' }, upload: INTEGER }) },
        refusals: [400, 401, 403, 404],
        says: { 413: NO_ROOM },
      }),
      asAccountRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const found = await lineageOf(exchange, id);
        if (!found.ok) return found;
        const { process, inputs } = found.value ?? {};
        if (typeof process !== 'string') return err({ kind: 'bad-request', detail: 'No process made this layer.' });
        if (!isMembers(inputs)) return err({ kind: 'forbidden', detail: 'change_layer_data is needed.' });
        const request = { process, inputs };
        const { caller, info, base } = exchange;
        const checked = await processes.check(caller, info, request);
        if (!checked.ok) return err(refusalOf(checked.error));
        const wanted = { request, checked: checked.value, title: undefined, target: id };
        const made = await createExecution(db, jobs, caller, info, wanted);
        if (!made.ok)
          return err(
            made.error.kind === 'too-many'
              ? { kind: 'bad-request', detail: 'Too many of your jobs are under way: wait until some have ended.' }
              : made.error,
          );
        const { id: upload, execution } = made.value;
        return ok({
          ...json(201, { jobID: execution, upload }),
          headers: { Location: `${base}/ogc/jobs/${execution}` },
        });
      }),
    );
  }
}

function refusalOf(fault: ProcessFault): PortalError {
  switch (fault.kind) {
    case 'no-such-process':
      return { kind: 'bad-request', detail: 'The process is not there any more.' };
    case 'bad-inputs':
      return { kind: 'invalid-request', messages: Object.values(fault.inputs) };
    case 'refused':
      return { kind: 'invalid-request', messages: [fault.said] };
    case 'database':
      return fault;
  }
}

const LINEAGE = record({
  process: TEXT,
  sources: arrayOf(
    record({ id: INTEGER, title: TEXT, changed: { ...FLAG, description: 'Its rows have changed since.' } }),
  ),
  hidden: { ...INTEGER, description: 'Sources that the caller does not see.' },
  at: MOMENT,
  by: orNull(TEXT),
  inputs: {
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'For who may change the rows; null to others.',
  },
});
