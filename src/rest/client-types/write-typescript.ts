// Client types → a TypeScript module whose `Database` is what postgrest-js and supabase-js take as their type parameter.
// Names come from the database and may hold anything: every one of them is a string literal or a plain identifier.

import type {
  ClientTypes,
  ColumnType,
  CompositeType,
  EnumType,
  FieldType,
  FunctionType,
  KeyType,
  OverloadType,
  RelationType,
  SchemaTypes,
  ValueType,
} from './client-types.ts';

const HEAD = `// Written by \`survest types\`: changes made here are lost when it runs again.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
`;

/** An object type without members; `{}` would take any value. */
const NOTHING = '{ [_ in never]: never }';

export function writeTypescript({ schemas, otherEnums }: ClientTypes): string {
  const database = block(schemas.map((schema) => member(schema.name, schemaType(schema))));
  const others = otherEnums.map(({ schema, name, labels }) => member(otherName({ schema, name }), union(labels)));
  const parts = [HEAD, `export type Database = ${database};\n`];
  if (others.length > 0) parts.push(`/** Of schemas that are not described. */\ntype OtherEnums = ${block(others)};\n`);
  return parts.join('\n');
}

function schemaType({ tables, views, functions, enums, composites }: SchemaTypes): string {
  return block([
    member('Tables', block(tables.map((table) => relationMember(table, false)))),
    member('Views', block(views.map((view) => relationMember(view, true)))),
    member('Functions', block(functions.map(functionMember))),
    member('Enums', block(enums.map(({ name, labels }: EnumType) => member(name, union(labels))))),
    member('CompositeTypes', block(composites.map(({ name, fields }: CompositeType) => member(name, record(fields))))),
  ]);
}

// ── relations ──

function relationMember(relation: RelationType, isView: boolean): string {
  const { name, description, columns, computed, keys, isInsertable, isUpdatable } = relation;
  // What `*` does not show may be missing from a row.
  const onDemand = computed.map((field) => optional(field.name, orNull(field)));
  const forms = [member('Row', block([...columns.map(rowMember), ...onDemand]))];
  // A table that cannot be written has both forms all the same: clients take what has not for a view.
  if (!isView || isInsertable || isUpdatable) {
    forms.push(member('Insert', writtenForm(columns, isInsertable, false)));
    forms.push(member('Update', writtenForm(columns, isUpdatable, true)));
  }
  forms.push(member('Relationships', list(keys.map(keyType))));
  return comment(description) + member(name, block(forms));
}

function rowMember(column: ColumnType): string {
  return comment(column.description) + member(column.name, orNull(column));
}

function writtenForm(columns: readonly ColumnType[], isWritable: boolean, isUpdate: boolean): string {
  return block(
    columns.map((column) => {
      if (!isWritable || column.isGenerated) return optional(column.name, 'never');
      const type = orNull(column);
      return isUpdate || column.isOptional ? optional(column.name, type) : member(column.name, type);
    }),
  );
}

function keyType({ constraint, columns, isOneToOne, foreign, foreignColumns }: KeyType): string {
  return block([
    member('foreignKeyName', literal(constraint)),
    member('columns', `[${columns.map(literal).join(', ')}]`),
    member('isOneToOne', String(isOneToOne)),
    member('referencedRelation', literal(foreign)),
    member('referencedColumns', `[${foreignColumns.map(literal).join(', ')}]`),
  ]);
}

// ── functions ──

function functionMember({ name, overloads }: FunctionType): string {
  const descriptions = overloads.flatMap(({ description }) => (description === null ? [] : [description]));
  const about = comment(descriptions.length === 0 ? null : [...new Set(descriptions)].join('\n\n'));
  return about + member(name, overloads.map(overloadType).join(' | '));
}

function overloadType({ args, isSet, result, rows }: OverloadType): string {
  const given = args.map((arg) => (arg.isOptional ? optional(arg.name, orNull(arg)) : member(arg.name, orNull(arg))));
  const isOneOfSet = isSet && rows?.isOneToOne === true;
  return block([
    // What the clients take for a function without arguments.
    member('Args', given.length === 0 ? 'never' : block(given)),
    member('Returns', isSet && !isOneOfSet ? `${resultType(result)}[]` : resultType(result)),
    ...(rows === undefined
      ? []
      : [
          member(
            'SetofOptions',
            block([
              member('from', literal(rows.from)),
              member('to', literal(rows.to)),
              member('isOneToOne', String(rows.isOneToOne)),
              member('isSetofReturn', String(isSet)),
            ]),
          ),
        ]),
  ]);
}

function resultType(result: OverloadType['result']): string {
  switch (result.kind) {
    case 'void':
      return 'undefined';
    case 'record':
      return 'Record<string, unknown>';
    case 'value':
      return valueType(result.type);
    case 'fields':
      return record(result.fields);
  }
}

// ── values ──

function valueType(type: ValueType): string {
  switch (type.kind) {
    case 'number':
    case 'string':
    case 'boolean':
      return type.kind;
    case 'json':
      return 'Json';
    case 'array':
      return `${valueType(type.of)}[]`;
    case 'enum':
      return type.isListed ? path(type.at.schema, 'Enums', type.at.name) : `OtherEnums[${literal(otherName(type.at))}]`;
    case 'composite':
      return path(type.at.schema, 'CompositeTypes', type.at.name);
    case 'relation':
      return path(type.at.schema, type.isView ? 'Views' : 'Tables', type.at.name, 'Row');
  }
}

function path(...names: readonly string[]): string {
  return `Database${names.map((name) => `[${literal(name)}]`).join('')}`;
}

/** Two names never make the same one: a dot inside of them is quoted. */
function otherName({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return [schema, name].map((part) => (/^\w+$/.test(part) ? part : JSON.stringify(part))).join('.');
}

function orNull({ type, isNullable }: FieldType): string {
  return isNullable && type.kind !== 'json' ? `${valueType(type)} | null` : valueType(type);
}

function record(fields: readonly FieldType[]): string {
  return block(fields.map((field) => member(field.name, orNull(field))));
}

function union(labels: readonly string[]): string {
  return labels.length === 0 ? 'never' : labels.map(literal).join(' | ');
}

// ── text ──

function block(members: readonly string[]): string {
  return members.length === 0 ? NOTHING : `{\n${members.map(indented).join('\n')}\n}`;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[\n${items.map((item) => `${indented(item)},`).join('\n')}\n]`;
}

function member(name: string, type: string): string {
  return `${key(name)}: ${type};`;
}

function optional(name: string, type: string): string {
  return `${key(name)}?: ${type};`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** JSON leaves two line breaks as they are, which would be indented. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** No text here has a line break of its own: literals escape them, comments are cut at them. */
function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;

function comment(description: string | null): string {
  if (description === null || description.trim() === '') return '';
  const lines = description.trim().replaceAll('*/', '*\\/').split(LINE_BREAK);
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
