// A procedure as SQL: CALL, what goes before it, and the row that it brought as rows to read. CALL is a statement of its own, whose
// arguments can hold no query: JSON becomes texts of the arguments' types in a statement before it, which hands them over in a setting.

import { assertNever } from '../../kernel/assert-never.ts';
import { ident, join, raw } from '../../sql/index.ts';
import type { CallArgs } from '../plan/plan.ts';
import type { Parameter, Procedure, Routine } from '../schema-cache/schema-cache.ts';
import { BODY, BYTES, type Sql, sql } from './bind.ts';
import { namedSql, textBind } from './call-sql.ts';

export type ProcedureQuery = { readonly before: Sql | undefined; readonly call: Sql };

/** Holds the arguments as a JSON array of texts. */
export const ARGUMENTS = 'survest.arguments';

export function procedureSql(routine: Routine, procedure: Procedure, args: CallArgs): ProcedureQuery {
  return { before: handOverSql(args, procedure), call: callStatement(routine, procedure, inputsSql(args)) };
}

/** The rows that are read: one, of what CALL brought. */
export function outputsSql({ outputs }: Procedure): Sql {
  if (outputs.length === 0) return sql`select null`;
  return sql`select ${join(outputs.map(({ name, castType }, index) => sql`${{ kind: 'output', index } as const}::${raw(castType)} as ${ident(name)}`))}`;
}

function callStatement({ schema, name }: Routine, { outputs }: Procedure, inputs: readonly Sql[]): Sql {
  const unset = outputs.flatMap((output) =>
    output.isInput ? [] : [sql`${ident(output.name)} => null::${raw(output.castType)}`],
  );
  return sql`call ${ident(schema, name)}(${join([...inputs, ...unset])})`;
}

function inputsSql(args: CallArgs): readonly Sql[] {
  switch (args.kind) {
    case 'none':
      return [];
    case 'body':
      return [sql`${args.type === 'bytea' ? BYTES : BODY}::${raw(args.type)}`];
    case 'text':
      return args.args.map(({ parameter, values }) =>
        namedSql(parameter, sql`${textBind(parameter, values)}::${raw(parameter.castType)}`),
      );
    case 'json':
      return args.parameters.map((parameter, index) =>
        namedSql(
          parameter,
          sql`(current_setting(${raw(`'${ARGUMENTS}'`)})::json->>${raw(String(index))})::${raw(parameter.castType)}`,
        ),
      );
    default:
      return assertNever(args);
  }
}

function handOverSql(args: CallArgs, { outside }: Procedure): Sql | undefined {
  if (args.kind !== 'json') return undefined;
  const object = args.isArray ? sql`(${BODY}::json)->0` : sql`${BODY}::json`;
  // No column can be called "", so the argument of that name is read under another one.
  const isUnnamed = args.parameters.some(({ name }) => name === '');
  const nameOf = ({ name }: Parameter): Sql => ident(isUnnamed ? 'argument' : name);
  const given = isUnnamed ? sql`json_build_object('argument', (${object})->'')` : object;
  const types = args.parameters.map((parameter) => sql`${nameOf(parameter)} ${raw(parameter.castType)}`);
  const texts = args.parameters.map((parameter) => sql`given.${nameOf(parameter)}::text`);
  return sql`select set_config(${raw(`'${ARGUMENTS}'`)}, json_build_array(${join(texts)})::text, ${raw(String(!outside))}) from json_to_record(${given}) as given(${join(types)})`;
}
