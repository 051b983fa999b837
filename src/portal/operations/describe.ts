// OPTIONS on a collection: what it is called, what it can do, and which fields its records have.

import type { Field, FieldType, RecordType } from '../fields/field.ts';
import { isShown } from '../fields/field-makers.ts';
import type { Collection } from './collection.ts';

const FEATURES: readonly string[] = [
  'debug',
  'include[]',
  'exclude[]',
  'filter{}',
  'page',
  'per_page',
  'sort[]',
  'sideloading',
];

/** `hasPatchAll`: whether everything that passes a filter can be changed at once. */
export function describeCollection({ item, list, about, recordType }: Collection, hasPatchAll: boolean): unknown {
  return {
    name: title(list),
    description: about,
    renders: ['application/json'],
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    features: hasPatchAll ? [...FEATURES, 'patch-all'] : FEATURES,
    resource_name: item,
    resource_name_plural: list,
    properties: describeFields(recordType),
  };
}

function describeFields({ fields }: RecordType): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, describeField(field)]));
}

function describeField(field: Field): unknown {
  const { type } = field;
  return {
    required: field.required,
    read_only: field.write.kind === 'read-only',
    default: field.initial ?? null,
    label: title(field.name),
    help_text: field.about,
    nullable: field.nullable,
    type: typeName(type),
    ...(type.kind === 'one' || type.kind === 'many' ? { related_to: type.relation.recordType().plural } : {}),
    ...(type.kind === 'choice' ? { choices: type.choices.map((value) => ({ value, display_name: value })) } : {}),
    ...(type.kind === 'text' && type.max !== undefined ? { max_length: type.max } : {}),
    ...(field.deferred ? { deferred: true } : {}),
    ...(isShown(field) ? {} : { write_only: true }),
  };
}

function typeName(type: FieldType): string {
  switch (type.kind) {
    case 'text':
    case 'digits':
    case 'uuid':
      return 'string';
    case 'number':
      return 'float';
    case 'words':
      return 'list';
    case 'geometry':
    case 'json':
      return 'field';
    default:
      return type.kind;
  }
}

function title(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
