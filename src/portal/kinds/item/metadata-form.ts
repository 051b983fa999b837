// The metadata of an item as a form that its map client draws by a JSON Schema: the schema, an item's values in it, and what was filled in, back as
// fields of the item. Pure; the fields themselves say what they are.

import { type Field, makeRecordType } from '../../fields/field.ts';
import { isMembers, type Members } from '../../operations/write/body-forms.ts';
import { resource } from './fields.ts';

/** In the order of the form. */
const NAMES = [
  'title',
  'abstract',
  'date_type',
  'date',
  'category',
  'keywords',
  'regions',
  'language',
  'license',
  'attribution',
  'doi',
  'edition',
  'purpose',
  'maintenance_frequency',
  'restriction_code_type',
  'constraints_other',
  'spatial_representation_type',
  'temporal_extent_start',
  'temporal_extent_end',
  'supplemental_information',
  'data_quality_statement',
] as const;

const FIELDS: readonly Field[] = makeRecordType(
  'metadata',
  'metadata',
  NAMES.map((name) => {
    const field = resource.byName.get(name);
    if (field === undefined) throw new Error(`items have no ${name}`);
    return field;
  }),
).fields;

/** Code lists whose entries are chosen in the form, each with its table and what people read. */
export const FORM_LISTS = {
  category: { table: 'portal.category', label: "coalesce(nullif(description, ''), identifier)" },
  license: { table: 'portal.license', label: 'name' },
  restriction_code_type: { table: 'portal.restriction_code_type', label: 'identifier' },
  spatial_representation_type: { table: 'portal.spatial_representation_type', label: 'identifier' },
} as const;

export type FormList = keyof typeof FORM_LISTS;
export type Entry = { readonly id: string; readonly label: string };
export type FormLists = Readonly<Record<FormList, readonly Entry[]>>;

type Schema = Readonly<Record<string, unknown>>;

export function formSchema(lists: FormLists): Schema {
  const required = FIELDS.filter(({ required }) => required).map(({ name }) => name);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Metadata',
    type: 'object',
    properties: Object.fromEntries(FIELDS.map((field) => [field.name, propertyOf(field, lists)])),
    required,
  };
}

/** From this length on a text is written in several lines. */
const LONG = 500;

function propertyOf({ name, type, about, nullable }: Field, lists: FormLists): Schema {
  const words = name.replaceAll('_', ' ');
  const head = { title: words.slice(0, 1).toUpperCase() + words.slice(1), description: about };
  const kind = nullable ? ['string', 'null'] : 'string';
  const chosen = (entries: readonly Entry[]): Schema => ({
    ...head,
    type: kind,
    oneOf: [
      ...(nullable ? [{ const: null, title: '' }] : []),
      ...entries.map(({ id, label }) => ({ const: id, title: label })),
    ],
  });
  if (name === 'keywords') return { ...head, type: 'array', items: { type: 'string' }, ...completed('keywords') };
  if (name === 'regions') {
    const properties = { id: { type: 'string' }, label: { type: 'string' } };
    return { ...head, type: 'array', items: { type: 'object', properties }, ...completed('regions') };
  }
  switch (type.kind) {
    case 'one':
      return chosen(lists[name as FormList]);
    case 'choice':
      return chosen(type.choices.map((id) => ({ id, label: id })));
    case 'datetime':
      return { ...head, type: kind, format: 'date-time' };
    case 'text':
      return {
        ...head,
        type: kind,
        ...(type.max === undefined ? {} : { maxLength: type.max }),
        ...((type.max ?? 0) >= LONG ? { 'ui:widget': 'textarea' } : {}),
      };
    default:
      throw new Error(`${name} has no place in a form`);
  }
}

/** Where the client finds what can be entered. */
function completed(list: string): Schema {
  return { 'ui:options': { 'geonode-ui:autocomplete': `/api/v2/metadata/autocomplete/${list}` } };
}

/** A record as the API shows it → the values of the form. */
export function formOf(record: Members): Members {
  return Object.fromEntries(FIELDS.map(({ name, type }) => [name, shown(name, type.kind, record[name] ?? null)]));
}

function shown(name: string, kind: Field['type']['kind'], value: unknown): unknown {
  const list = Array.isArray(value) ? value.filter(isMembers) : [];
  if (name === 'keywords') return list.map((keyword) => keyword['name']);
  if (name === 'regions') return list.map(({ code, name: label }) => ({ id: code, label }));
  return kind === 'one' ? (isMembers(value) ? (value['identifier'] ?? null) : null) : value;
}

/** What was filled in → fields of an item; members that are not in the form are left out, as clients send back what they were given. */
export function fieldsOf(form: Members): Members {
  return Object.fromEntries(
    NAMES.filter((name) => Object.hasOwn(form, name)).map((name) => [name, sent(name, form[name])]),
  );
}

function sent(name: string, value: unknown): unknown {
  if (name !== 'regions' || !Array.isArray(value)) return value;
  return value.map((region) => (isMembers(region) ? { code: region['id'], name: region['label'] } : region));
}
