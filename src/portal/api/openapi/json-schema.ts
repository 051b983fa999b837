// Field tables → schemas: of records as they are shown, and of records as they are sent.

import { PERMISSION_NAMES } from '../../../auth/permission-names.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { type Field, type FieldType, type RecordType, TIME_FORMAT } from '../../fields/field.ts';
import { isShown } from '../../fields/field-makers.ts';

/** `group_profile` → `GroupProfile`. */
export function schemaName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The records of a collection; those of the viewer are others than the catalogue's of the same name. */
export function recordName(item: string, isBare: boolean | undefined): string {
  return `${isBare === true ? 'Viewer' : ''}${schemaName(item)}`;
}

/** RecordTypes by the name of their schema. What they embed is added while they are described. */
export type RecordTypes = Map<string, RecordType>;

/** A record type is described once; what is embedded elsewhere and has the name of a collection's records is told apart from them. */
export function nameOf(
  recordType: RecordType,
  recordTypes: RecordTypes,
  wanted: string = schemaName(recordType.name),
): string {
  for (const [name, known] of recordTypes) if (known === recordType) return name;
  let name = wanted;
  for (let n = 1; recordTypes.has(name); n++) name = `Embedded${wanted}${n === 1 ? '' : n}`;
  recordTypes.set(name, recordType);
  return name;
}

/** As it is shown. Fields that have to be asked for are described, but not promised. */
export function recordSchema(recordType: RecordType, recordTypes: RecordTypes): Schema {
  const shown = recordType.fields.filter(isShown);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((field) => [field.name, shownSchema(field, recordTypes)])),
    required: shown.filter((field) => !field.deferred).map((field) => field.name),
    additionalProperties: false,
  };
}

function shownSchema(field: Field, recordTypes: RecordTypes): Schema {
  const { type, about, nullable } = field;
  const readOnly = field.write.kind === 'read-only' ? { readOnly: true } : {};
  switch (type.kind) {
    case 'one': {
      const related = reference(nameOf(type.relation.recordType(), recordTypes));
      if (!nullable) return related;
      return { description: about, ...readOnly, oneOf: [related, NULL] };
    }
    case 'many':
      return {
        description: about,
        ...readOnly,
        type: 'array',
        items: reference(nameOf(type.relation.recordType(), recordTypes)),
      };
    default:
      return {
        ...typeSchema(type, nullable),
        description: about,
        ...(nullable ? { nullable: true } : {}),
        ...readOnly,
      };
  }
}

/** The empty text, where it is a value, has no format. */
function formatSchema({ format, blank }: FieldType & { kind: 'text' }): Schema {
  if (format === undefined) return {};
  const named = { format: format === 'email' ? 'email' : 'uri-reference' };
  return blank === true ? { anyOf: [named, { maxLength: 0 }] } : named;
}

/** A reference cannot be made nullable; beside it stands what is nothing but null. */
const NULL: Schema = { type: 'object', nullable: true, enum: [null] };

/** `depth`: how many lists are around a coordinate. */
function polygonSchema(type: 'Polygon' | 'MultiPolygon', depth: number): Schema {
  const coordinates = Array.from({ length: depth }).reduce<Schema>((items) => ({ type: 'array', items }), {
    type: 'number',
  });
  return {
    type: 'object',
    properties: { type: { type: 'string', enum: [type] }, coordinates },
    required: ['type', 'coordinates'],
  };
}

function wordSchema(words: readonly string[] | undefined): Schema {
  if (words === PERMISSION_NAMES) return reference('PermissionName');
  return words === undefined ? { type: 'string' } : { type: 'string', enum: words };
}

function typeSchema(type: Exclude<FieldType, { kind: 'one' | 'many' }>, nullable: boolean): Schema {
  switch (type.kind) {
    case 'text':
      return {
        type: 'string',
        ...(type.max === undefined ? {} : { maxLength: type.max }),
        ...formatSchema(type),
      };
    case 'digits':
      return { type: 'string', pattern: '^-?[0-9]+$' };
    case 'integer':
    case 'number':
      return {
        type: type.kind,
        ...(type.min === undefined ? {} : { minimum: type.min }),
        ...(type.max === undefined ? {} : { maximum: type.max }),
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'datetime':
      return { type: 'string', format: 'date-time', example: example(type) };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'choice':
      return { type: 'string', enum: nullable ? [...type.choices, null] : type.choices };
    case 'geometry':
      return {
        type: 'object',
        oneOf: [polygonSchema('Polygon', 3), polygonSchema('MultiPolygon', 4), ...(nullable ? [NULL] : [])],
      };
    case 'json':
      return type.isList === true ? { type: 'array', items: {} } : { type: 'object', additionalProperties: true };
    case 'words':
      return { type: 'array', items: wordSchema(type.of) };
  }
}

/**
 * As it is sent. `create`: with what has to be there; `change-by-id`: one of several. Fields that cannot be written may be sent
 * along and are ignored, but nobody is asked to.
 */
export function inputSchema(recordType: RecordType, mode: 'create' | 'change' | 'change-by-id'): Schema {
  const written = recordType.fields.filter((field) => field.write.kind !== 'read-only');
  const required = mode === 'create' ? written.filter((field) => field.required).map((field) => field.name) : [];
  if (mode === 'change-by-id') required.push('id');
  return {
    type: 'object',
    properties: {
      ...(mode === 'change-by-id' ? { id: { type: 'integer', minimum: 1 } } : {}),
      ...Object.fromEntries(written.map((field) => [field.name, sentSchema(field)])),
    },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const REFERENCE: Schema = {
  oneOf: [{ type: 'integer' }, { type: 'string' }, { type: 'object', additionalProperties: true }],
};

function sentSchema(field: Field): Schema {
  const { type, write, about, nullable } = field;
  const described = {
    description: about,
    ...(isShown(field) ? {} : { writeOnly: true }),
    ...(field.initial === undefined ? {} : { default: field.initial }),
  };
  if (write.kind === 'reference')
    return {
      ...described,
      oneOf: [...(REFERENCE['oneOf'] as Schema[]), NULL],
    };
  if (write.kind === 'references' || write.kind === 'names') return { ...described, type: 'array', items: REFERENCE };
  if (type.kind === 'json')
    return {
      ...described,
      oneOf: [
        { type: 'object', additionalProperties: true },
        { type: 'array', items: {} },
        { type: 'string' },
        ...(nullable ? [NULL] : []),
      ],
    };
  if (type.kind === 'one' || type.kind === 'many') return described;
  const canBeNull = nullable || (write.kind === 'column' && write.nullAs !== undefined);
  return { ...typeSchema(type, canBeNull), ...described, ...(canBeNull ? { nullable: true } : {}) };
}

/** A value that can be sent, for examples. */
export function example(type: FieldType): unknown {
  switch (type.kind) {
    case 'datetime':
      return TIME_FORMAT.includes('US') ? '2024-05-01T10:00:00.000000Z' : '2024-05-01T10:00:00Z';
    case 'choice':
      return type.choices[0];
    case 'integer':
      return type.min ?? 1;
    case 'number':
      return type.min ?? 1.5;
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}
