// The types that a column can be given by people, as PostgreSQL writes them, and how the catalogue calls them. A closed list: nothing
// that a client sends is the name of a type.

export type ColumnKind =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'double precision'
  | 'numeric'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamptz'
  | 'uuid'
  | 'jsonb';

export const COLUMN_KINDS: Readonly<Record<ColumnKind, string>> = {
  text: 'xsd:string',
  integer: 'xsd:int',
  bigint: 'xsd:long',
  'double precision': 'xsd:double',
  numeric: 'xsd:decimal',
  boolean: 'xsd:boolean',
  date: 'xsd:date',
  time: 'xsd:time',
  timestamptz: 'xsd:dateTime',
  uuid: 'xsd:string',
  jsonb: 'xsd:string',
};

export const COLUMN_KIND_NAMES = Object.keys(COLUMN_KINDS) as readonly ColumnKind[];

export function isColumnKind(name: unknown): name is ColumnKind {
  return typeof name === 'string' && Object.hasOwn(COLUMN_KINDS, name);
}

/** As format_type prints it. */
export function typeOfKind(kind: ColumnKind): string {
  switch (kind) {
    case 'timestamptz':
      return 'timestamp with time zone';
    case 'time':
      return 'time without time zone';
    default:
      return kind;
  }
}

export function kindOfType(type: string): ColumnKind | undefined {
  return COLUMN_KIND_NAMES.find((kind) => typeOfKind(kind) === type);
}
