// Client types → a JSON Schema (2020-12) document. What TypeScript finds at `Database["api"]["Tables"]["films"]` is here at
// `#/$defs/api/$defs/Tables/$defs/films`: its rows; `/$defs/Insert` and `/$defs/Update` below it are what is written.

import type {
  ClientTypes,
  ColumnType,
  FieldType,
  FunctionType,
  OverloadType,
  RelationType,
  SchemaTypes,
  ValueType,
} from './client-types.ts';

type Schema = Readonly<Record<string, unknown>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export function writeJsonSchema({ schemas, otherEnums }: ClientTypes): string {
  const document = {
    $schema: DIALECT,
    $comment: 'Written by `survest types`: changes made here are lost when it runs again.',
    $defs: defs([...schemas.map((schema): Named => [schema.name, schemaOf(schema)]), ...others(otherEnums)]),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Schemas of which nothing but enums is seen. */
function others(enums: ClientTypes['otherEnums']): readonly Named[] {
  const bySchema = new Map<string, Named[]>();
  for (const { schema, name, labels } of enums) {
    const known = bySchema.get(schema) ?? [];
    known.push([name, { type: 'string', enum: labels }]);
    bySchema.set(schema, known);
  }
  return Array.from(bySchema, ([schema, named]): Named => [schema, { $defs: { Enums: { $defs: defs(named) } } }]);
}

type Named = readonly [name: string, schema: Schema];

/** By Object.fromEntries, which makes a member of any name, `__proto__` too. */
function defs(named: readonly Named[]): Schema {
  return Object.fromEntries(named);
}

function schemaOf({ tables, views, functions, enums, composites }: SchemaTypes): Schema {
  const group = (members: readonly Named[]): Schema => ({ $defs: defs(members) });
  return {
    $defs: {
      Tables: group(tables.map((table) => [table.name, relationSchema(table)])),
      Views: group(views.map((view) => [view.name, relationSchema(view)])),
      Functions: group(functions.map((each) => [each.name, functionSchema(each)])),
      Enums: group(enums.map(({ name, labels }) => [name, { type: 'string', enum: labels }])),
      CompositeTypes: group(composites.map(({ name, fields }) => [name, recordSchema(fields)])),
    },
  };
}

function relationSchema({ description, columns, computed, isInsertable, isUpdatable }: RelationType): Schema {
  const written = columns.filter(({ isGenerated }) => !isGenerated);
  const forms: Named[] = [];
  if (isInsertable) {
    const required = written.filter(({ isOptional }) => !isOptional);
    forms.push(['Insert', objectSchema(written, required)]);
  }
  if (isUpdatable) forms.push(['Update', objectSchema(written, [])]);
  return {
    ...described(description),
    ...objectSchema(columns, columns, computed),
    ...(forms.length === 0 ? {} : { $defs: defs(forms) }),
  };
}

function objectSchema(
  columns: readonly ColumnType[],
  required: readonly ColumnType[],
  more: readonly FieldType[] = [],
): Schema {
  return {
    type: 'object',
    properties: defs([
      ...columns.map((column): Named => [column.name, columnSchema(column)]),
      ...more.map((field): Named => [field.name, fieldSchema(field)]),
    ]),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  };
}

function columnSchema({ description, maxLength, ...field }: ColumnType): Schema {
  const bound = maxLength !== null && field.type.kind === 'string' ? { maxLength } : {};
  return { ...described(description), ...fieldSchema(field), ...bound };
}

function recordSchema(fields: readonly FieldType[]): Schema {
  return {
    type: 'object',
    properties: defs(fields.map((field) => [field.name, fieldSchema(field)])),
    required: fields.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The arguments; what it returns is below. */
function functionSchema({ overloads }: FunctionType): Schema {
  const results = overloads.map(resultSchema);
  return { ...either(overloads.map(argsSchema)), $defs: { Returns: either(results) } };
}

function argsSchema({ description, args }: OverloadType): Schema {
  return {
    ...described(description),
    type: 'object',
    properties: defs(args.map((arg) => [arg.name, fieldSchema({ ...arg, isNullable: true })])),
    required: args.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    additionalProperties: false,
  };
}

function resultSchema({ isSet, result }: OverloadType): Schema {
  const one = oneResult(result);
  return isSet ? { type: 'array', items: one } : one;
}

function oneResult(result: OverloadType['result']): Schema {
  switch (result.kind) {
    case 'void':
      return { type: 'null' };
    case 'record':
      return { type: 'object' };
    case 'value':
      return valueSchema(result.type);
    case 'fields':
      return recordSchema(result.fields);
  }
}

function either(schemas: readonly Schema[]): Schema {
  const [only, another] = schemas;
  return only !== undefined && another === undefined ? only : { anyOf: schemas };
}

function fieldSchema({ type, isNullable }: FieldType): Schema {
  const schema = valueSchema(type);
  if (!isNullable || type.kind === 'json') return schema;
  return typeof schema['type'] === 'string'
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

function valueSchema(type: ValueType): Schema {
  switch (type.kind) {
    case 'number':
      return { type: type.isInteger ? 'integer' : 'number' };
    case 'string':
    case 'boolean':
      return { type: type.kind };
    case 'json':
      return {};
    case 'array':
      // PostgreSQL does not say how many dimensions an array has.
      return {
        type: 'array',
        items: { anyOf: [fieldSchema({ name: '', type: type.of, isNullable: true }), { type: 'array' }] },
      };
    case 'enum':
      return reference(type.at.schema, 'Enums', type.at.name);
    case 'composite':
      return reference(type.at.schema, 'CompositeTypes', type.at.name);
    case 'relation':
      return reference(type.at.schema, type.isView ? 'Views' : 'Tables', type.at.name);
  }
}

/** A JSON pointer as the fragment of an address: escaped twice. */
function reference(...names: readonly string[]): Schema {
  const steps = names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
  return { $ref: `#${steps.map((step) => `/$defs/${step}`).join('')}` };
}

function described(description: string | null): Schema {
  return description === null ? {} : { description };
}
