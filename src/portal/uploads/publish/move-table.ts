// A staged table → the layer's own: under a free name where everybody finds it, with comments and under its policies.

import { ok, type Result } from '../../../kernel/result.ts';
import type { StagedPlainTable, StagedTable } from '../../../layer-ports/staged.ts';
import type { Session } from '../../../pg/driver.ts';
import { quoteIdent, quoteLiteral } from '../../../sql/index.ts';
import { AS_LOGIN } from '../service-scope.ts';
import { statement } from '../service-transaction.ts';
import { execute, type PublishError } from './publication.ts';

/** The table gets its name and goes where everybody finds it. */
export async function moveTable(
  session: Session,
  layer: StagedTable | StagedPlainTable,
  id: number,
  name: string,
  title: string,
): Promise<Result<undefined, PublishError>> {
  const free = await freeTableName(session, name);
  if (!free.ok) return free;
  const table = free.value;
  const staged = `staging.${quoteIdent(layer.table)}`;
  const target = `layers.${quoteIdent(table)}`;
  const columns = layer.columns.filter(({ name: column, label }) => column !== label);
  const named = await execute(session, [
    statement(`select pg_get_serial_sequence($1, $2)`, staged, layer.key),
    statement(
      `select i.relname, x.indisprimary from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid
        where x.indrelid = $1::regclass`,
      staged,
    ),
  ]);
  if (!named.ok) return named;
  const [[[sequence = null] = []] = [], indexes = []] = named.value;
  // Called after the layer's number, so that no two of them want the same name.
  const renamed = [
    ...(sequence === null
      ? []
      : [`alter sequence ${sequence} rename to ${quoteIdent(`layer_${id}_${layer.key}_seq`)}`]),
    ...indexes.map(
      ([index, isPrimary]) =>
        `alter index staging.${quoteIdent(index ?? '')} rename to ${quoteIdent(`layer_${id}_${isPrimary === 't' || layer.kind === 'table' ? 'pkey' : layer.geometry.column}`)}`,
    ),
  ];
  const moved = await execute(session, [
    ...renamed.map((text) => statement(text)),
    statement(`alter table ${staged} rename to ${quoteIdent(table)}`),
    statement(`alter table staging.${quoteIdent(table)} set schema layers`),
    statement(`comment on table ${target} is ${quoteLiteral(title)}`),
    ...columns.map(({ name: column, label }) =>
      statement(`comment on column ${target}.${quoteIdent(column)} is ${quoteLiteral(label.replaceAll('\0', ''))}`),
    ),
    statement('select portal.protect_layer_table($1::regclass, $2)', target, String(id)),
  ]);
  return moved.ok ? ok(undefined) : moved;
}

const MAX_TABLE_BYTES = 55;

/** A name that no relation among the layers has. */
export async function freeTableName(session: Session, name: string): Promise<Result<string, PublishError>> {
  let wanted = '';
  for (const char of name) {
    if (Buffer.byteLength(wanted + char) > MAX_TABLE_BYTES) break;
    wanted += char;
  }
  const taken = await execute(session, [
    AS_LOGIN,
    statement(
      `select relname from pg_catalog.pg_class where relnamespace = 'layers'::regnamespace and (relname = $1 or relname like $2)`,
      wanted,
      `${wanted.replace(/[\\%_]/g, '\\$&')}\\_%`,
    ),
  ]);
  if (!taken.ok) return taken;
  const names = new Set((taken.value[1] ?? []).map(([one]) => one));
  if (!names.has(wanted)) return ok(wanted);
  for (let n = 2; ; n += 1) if (!names.has(`${wanted}_${n}`)) return ok(`${wanted}_${n}`);
}
