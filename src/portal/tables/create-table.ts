// A new, empty layer or table: its record, table, policies, style and permissions in one transaction, by the steps that publish an import.

import { randomUUID } from 'node:crypto';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Staged, StagedColumn, StagedPlainTable, StagedTable } from '../../layer-ports/staged.ts';
import type { Session } from '../../pg/driver.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { describeLayer } from '../uploads/publish/describe-layer.ts';
import { endStatements } from '../uploads/publish/end-statements.ts';
import { insertRecord } from '../uploads/publish/insert-record.ts';
import { moveTable } from '../uploads/publish/move-table.ts';
import { execute, type PublishError } from '../uploads/publish/publication.ts';
import { publishing } from '../uploads/publish/publish.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import { statement } from '../uploads/service-transaction.ts';
import { layerName } from '../uploads/upload-order.ts';
import type { UploadRow } from '../uploads/upload-row.ts';
import { COLUMN_KINDS } from './column-kinds.ts';
import { GEOMETRY, KEY, type NewTable, SHAPES, type Shape, type ValueRule } from './new-table.ts';

const GML: Readonly<Record<Shape, string>> = {
  point: 'gml:PointPropertyType',
  line: 'gml:MultiLineStringPropertyType',
  polygon: 'gml:MultiSurfacePropertyType',
  any: 'gml:GeometryPropertyType',
};

/** The id of the layer. */
export function createTable(db: CallerDb, owner: Caller, wanted: NewTable): Promise<Result<number, PublishError>> {
  return publishing(db, (session) => createIn(session, owner, wanted));
}

/** The same as an upload that is done. */
export function createDataset(
  db: CallerDb,
  owner: Caller,
  wanted: NewTable,
): Promise<Result<Pick<UploadRow, 'id' | 'import_id' | 'execution_id'>, PublishError>> {
  return publishing(db, async (session) => {
    const made = await createIn(session, owner, wanted);
    if (!made.ok) return made;
    const { title, permissions = {} } = wanted;
    const wishes = { layer_title: title, layer_abstract: '', permissions, update_mode: 'CREATE' } as const;
    const noted = await execute(session, [
      asCaller(owner),
      statement(
        'insert into portal.upload (name, session) select r.name, $2::jsonb from portal.resource r where r.id = $1 returning id, import_id, execution_id',
        String(made.value),
        JSON.stringify(wishes),
      ),
    ]);
    if (!noted.ok) return noted;
    const [[id, importId, executionId] = []] = noted.value[1] ?? [];
    const upload = { id: Number(id), import_id: Number(importId), execution_id: executionId ?? '' };
    const ended = await execute(
      session,
      endStatements(upload, [{ id: made.value }], { format: '', charset: 'UTF-8', warnings: [] }),
    );
    return ended.ok ? ok(upload) : ended;
  });
}

async function createIn(session: Session, owner: Caller, wanted: NewTable): Promise<Result<number, PublishError>> {
  const layer = stagedOf(wanted);
  const wishes = {
    // A dot in it is no ending.
    name: layerName((wanted.name ?? wanted.title).replaceAll('.', '_')),
    session: { layer_title: wanted.title, layer_abstract: wanted.abstract, permissions: wanted.permissions },
  };
  const staged: Staged = {
    format: '',
    file: wanted.title,
    charset: 'UTF-8',
    layers: [layer],
    warnings: [],
    style: undefined,
    metadata: undefined,
  };
  const record = await insertRecord(session, owner, wishes, staged, layer);
  if (!record.ok) return record;
  const { id, name, title } = record.value;
  const made = await execute(session, [AS_LOGIN, ...tableStatements(layer.table, wanted)]);
  if (!made.ok) return made;
  const moved = await moveTable(session, layer, id, name, title);
  if (!moved.ok) return moved;
  const described = await describeLayer(session, owner, wishes, staged, layer, record.value);
  return described.ok ? ok(id) : described;
}

function stagedOf({ columns, geometry }: NewTable): StagedTable | StagedPlainTable {
  const base = {
    table: `new_${randomUUID().replaceAll('-', '')}`,
    title: '',
    key: KEY,
    columns: columns.map(
      ({ name, label, type }): StagedColumn => ({
        name,
        label,
        type,
        xsd: COLUMN_KINDS[type],
        statistics: { count: 0 },
      }),
    ),
    rows: 0,
  };
  if (geometry === undefined) return { ...base, kind: 'table' };
  const { shape, srid } = geometry;
  return {
    ...base,
    kind: 'vector',
    geometry: { column: GEOMETRY, type: { kind: SHAPES[shape], suffix: '' }, xsd: GML[shape] },
    place: { srid, crs: `EPSG:${srid}`, extent: undefined },
  };
}

function tableStatements(table: string, { columns, geometry }: NewTable) {
  const target = `staging.${quoteIdent(table)}`;
  const parts = [
    `${quoteIdent(KEY)} bigint generated by default as identity primary key`,
    ...(geometry === undefined
      ? []
      : [`${quoteIdent(GEOMETRY)} geometry(${SHAPES[geometry.shape]}, ${geometry.srid})`]),
    ...columns.map(
      ({ name, type, required, rule }) =>
        `${quoteIdent(name)} ${type}${required ? ' not null' : ''}${rule === undefined ? '' : ` check (${ruleText(quoteIdent(name), rule)})`}`,
    ),
  ];
  return [
    statement(`create table ${target} (${parts.join(', ')})`),
    ...(geometry === undefined ? [] : [statement(`create index on ${target} using gist (${quoteIdent(GEOMETRY)})`)]),
  ];
}

/** Definitions take no parameters: literals, which take the type of the column. */
function ruleText(column: string, rule: ValueRule): string {
  if (rule.kind === 'options') return `${column} in (${rule.values.map(quoteLiteral).join(', ')})`;
  const { min, max } = rule;
  return [
    ...(min === null ? [] : [`${column} >= ${quoteLiteral(String(min))}`]),
    ...(max === null ? [] : [`${column} <= ${quoteLiteral(String(max))}`]),
  ].join(' and ');
}
