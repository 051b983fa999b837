// /api/v2/mode/: the mode of service and its message. Read by everybody, set by administrators, in any mode.

import type { FastifyInstance } from 'fastify';
import type { ServiceMode } from '../../http/service-mode.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import { MOMENT, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { type Answer, asAccountRoute, asRoute, type Exchange, json } from '../operations/exchange.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import type { PortalContext } from '../portal-context.ts';
import type { ModeCell } from './follow-mode.ts';
import { MAX_MESSAGE, MODES, type ModeName, readMode, setModeStatement } from './mode-store.ts';

export function registerModePaths(app: FastifyInstance, context: PortalContext, cell: ModeCell): void {
  app.get(
    '/api/v2/mode',
    described({
      id: 'mode_read',
      tag: 'settings',
      summary: {
        en: 'The mode of service (normal, read-only, maintenance) and its message',
        de: 'Der Betriebszustand (normal, nur lesend, Wartung) und seine Mitteilung',
      },
      answers: { 200: MODE },
    }),
    // As the database has it: a page that has just set it sees what it set, whichever copy it asks.
    asRoute(context, async () => {
      const read = await readMode(context.db);
      return read.ok ? ok(json(200, shown(read.value))) : err({ kind: 'database', error: read.error });
    }),
  );
  app.put(
    '/api/v2/mode',
    described({
      id: 'mode_set',
      tag: 'settings',
      summary: {
        en: 'Set the mode of service; for administrators, in any mode',
        de: 'Den Betriebszustand setzen; für Administratoren, in jedem Zustand',
      },
      body: record({ mode: { type: 'string', enum: MODES }, message: { type: 'string', maxLength: MAX_MESSAGE } }, [
        'mode',
      ]),
      examples: { open: { mode: 'normal', message: '' } },
      answers: { 200: MODE },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, (exchange) => setMode(context, cell, exchange)),
  );
}

async function setMode(
  { db }: PortalContext,
  cell: ModeCell,
  exchange: Exchange,
): Promise<Result<Answer, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const asked = parseMode(body.value);
  if (!asked.ok) return err({ kind: 'invalid-fields', fields: asked.error });
  const executed = await db.writeInAnyMode(exchange.caller, exchange.info, [
    setModeStatement(asked.value.mode, asked.value.message),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  await cell.refresh();
  return ok(json(200, shown(cell.now())));
}

function shown(mode: ServiceMode): object {
  return mode.kind === 'normal'
    ? { mode: 'normal', message: '', since: null }
    : { mode: mode.kind, message: mode.message, since: mode.since };
}

type Asked = { readonly mode: ModeName; readonly message: string };

function parseMode(body: unknown): Result<Asked, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: [expectedObject(kindOf(body))] });
  const { mode: name, message = '' } = body;
  const mode = MODES.find((known) => known === name);
  const fields: Record<string, string[]> = {};
  for (const field of Object.keys(body).slice(0, 20))
    if (field !== 'mode' && field !== 'message') fields[field.slice(0, 100)] = ['Unknown field.'];
  if (mode === undefined) fields['mode'] = [`Must be one of ${MODES.join(', ')}.`];
  if (typeof message !== 'string' || [...message].length > MAX_MESSAGE || /\p{Cc}/u.test(message))
    fields['message'] = [`Must be one line of at most ${MAX_MESSAGE} characters.`];
  if (mode === undefined || typeof message !== 'string' || Object.keys(fields).length > 0) return err(fields);
  return ok({ mode, message });
}

const MODE: Schema = record({ mode: { type: 'string', enum: MODES }, message: TEXT, since: orNull(MOMENT) });
