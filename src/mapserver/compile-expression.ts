// Fills the port for expressions: CQL2 as text or JSON → SQL of a layer's row. Pure.

import type { Scalar } from '../geo/cql/cql.ts';
import { parseCqlJson, parseExpressionJson } from '../geo/cql/cql-json.ts';
import { parseCqlText, parseExpressionText } from '../geo/cql/cql-text.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { CompileExpression, ExpressionFault } from '../layer-ports/expression.ts';
import type { LayerTable } from '../layer-ports/layer.ts';
import { expressionToSql } from './query/expression-sql.ts';
import { filterToSql } from './query/filter-sql.ts';
import { WGS84 } from './query/known-crs.ts';
import { EVERY_ROW, type Sql } from './query/value.ts';

export const compileExpression: CompileExpression = (table, { expression, filter, type }) => {
  const parsed = typeof expression === 'string' ? parseExpressionText(expression) : parseExpressionJson(expression);
  if (!parsed.ok) return err({ about: 'expression', said: parsed.error.said });
  const compiled = expressionToSql(parsed.value, table, type);
  if (!compiled.ok) return err({ about: 'expression', said: compiled.error.said });
  const condition = conditionOf(table, filter);
  if (!condition.ok) return condition;
  return ok({ ...compiled.value, condition: condition.value, reads: [...columnsIn(parsed.value, table)] });
};

function conditionOf(table: LayerTable, filter: unknown): Result<Sql, ExpressionFault> {
  if (filter === undefined) return ok(EVERY_ROW);
  const parsed = typeof filter === 'string' ? parseCqlText(filter) : parseCqlJson(filter);
  if (!parsed.ok) return err({ about: 'filter', said: parsed.error.said });
  const compiled = filterToSql(parsed.value, table, WGS84);
  return compiled.ok ? compiled : err({ about: 'filter', said: compiled.error.said });
}

/** In the order in which they are named. */
function columnsIn(scalar: Scalar, { columns }: LayerTable): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, name } = value as { readonly kind?: unknown; readonly name?: unknown };
    if (kind === 'shape') return;
    if (kind === 'property' && columns.some((column) => column.name === name)) found.add(String(name));
    for (const part of Object.values(value)) visit(part);
  };
  visit(scalar);
  return found;
}
