// What a column of a layer becomes by an expression: the port by which the portal has expressions and conditions of callers compiled to SQL of the row
// `f`. The map server fills it. Pure: nobody is asked.

import type { Result } from '../kernel/result.ts';
import type { Fragment } from '../sql/index.ts';
import type { LayerTable } from './layer.ts';

/** Values are parameters. */
export type RowSql = Fragment<{ readonly text: string }>;

type WantedExpression = {
  /** CQL2 as text, or as JSON. */
  readonly expression: unknown;
  /** The rows that are meant, in CQL2; undefined: all of them. */
  readonly filter: unknown;
  /** Of the column that the values go into, as format_type prints it; undefined: one that suits them. */
  readonly type: string | undefined;
};

export type CompiledExpression = {
  /** In the type. */
  readonly value: RowSql;
  readonly type: string;
  /** True of a row in which something cannot be read, or has no place in the column; undefined: there is none. */
  readonly fails: RowSql | undefined;
  readonly condition: RowSql;
  /** The columns that the expression reads. */
  readonly reads: readonly string[];
};

export type ExpressionFault = { readonly about: 'expression' | 'filter'; readonly said: string };

export type CompileExpression = (
  table: LayerTable,
  wanted: WantedExpression,
) => Result<CompiledExpression, ExpressionFault>;
