// A function call as SQL. The function runs once, in the FROM clause of the statement's source.

import { assertNever } from '../../kernel/assert-never.ts';
import { ident, join, raw } from '../../sql/index.ts';
import type { CallArgs, TextValue } from '../plan/plan.ts';
import type { Parameter, Routine } from '../schema-cache/schema-cache.ts';
import { type Bind, BODY, BYTES, type Sql, slot, sql } from './bind.ts';
import { SCALAR } from './body-sql.ts';

const CALL = ident('survest_call');
const ARGS = 'survest_args';

export function callSql(routine: Routine, args: CallArgs): Sql {
  const { from, call } = argumentsSql(routine, args);
  const { shape } = routine.returns;
  switch (shape.kind) {
    case 'scalar':
    case 'void':
      return sql`select ${CALL}.${ident(SCALAR)} from ${from}${call} as ${CALL}(${ident(SCALAR)})`;
    case 'record':
      // Without declared columns it cannot stand in FROM.
      if (shape.columns === undefined) return sql`select ${call} as ${ident(SCALAR)} from ${from}(select) as one`;
      return sql`select ${CALL}.* from ${from}${call} as ${CALL}`;
    case 'composite':
      return sql`select ${CALL}.* from ${from}${call} as ${CALL}`;
    default:
      return assertNever(shape);
  }
}

function argumentsSql(routine: Routine, args: CallArgs): { readonly from: Sql; readonly call: Sql } {
  const name = ident(routine.schema, routine.name);
  switch (args.kind) {
    case 'none':
      return { from: sql``, call: sql`${name}()` };
    case 'body':
      return { from: sql``, call: sql`${name}(${args.type === 'bytea' ? BYTES : BODY}::${raw(args.type)})` };
    case 'text':
      return {
        from: sql``,
        call: sql`${name}(${join(args.args.map(({ parameter, values }) => namedSql(parameter, sql`${textBind(parameter, values)}::${raw(parameter.castType)}`)))})`,
      };
    case 'json': {
      const object = args.isArray ? sql`(${BODY}::json)->0` : sql`${BODY}::json`;
      const [only] = args.parameters;
      if (only?.name === '') return unnamedSql(name, only, object);
      const types = args.parameters.map((parameter) => sql`${ident(parameter.name)} ${raw(parameter.castType)}`);
      const passed = args.parameters.map((parameter) => namedSql(parameter, ident(ARGS, parameter.name)));
      return {
        from: sql`json_to_record(${object}) as ${ident(ARGS)}(${join(types)}), lateral `,
        call: sql`${name}(${join(passed)})`,
      };
    }
    default:
      return assertNever(args);
  }
}

/** No column can be called "", so the argument of that name is read under another one. */
function unnamedSql(
  routine: Sql,
  { castType, variadic }: Parameter,
  object: Sql,
): { readonly from: Sql; readonly call: Sql } {
  const argument = ident('argument');
  return {
    from: sql`json_to_record(json_build_object('argument', (${object})->'')) as ${ident(ARGS)}(${argument} ${raw(castType)}), lateral `,
    call: sql`${routine}(${raw(variadic ? 'variadic ' : '')}${ident(ARGS)}.${argument})`,
  };
}

export function namedSql(parameter: Parameter, value: Sql): Sql {
  if (parameter.name === '') return sql`${raw(parameter.variadic ? 'variadic ' : '')}${value}`;
  return sql`${raw(parameter.variadic ? 'variadic ' : '')}${ident(parameter.name)} => ${value}`;
}

export function textBind(parameter: Parameter, values: readonly TextValue[]): Bind {
  if (parameter.variadic) return { kind: 'array', values };
  const last = values.at(-1);
  if (last === undefined) throw new Error('an argument has at least one value');
  return last.from === 'query' ? slot(last.slot) : { kind: 'form', index: last.index };
}
