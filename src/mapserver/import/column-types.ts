// Types as a dump names them → types of our tables, and how the catalogue calls them.

/** A closed list: nothing of a dump's text reaches the statement that makes the table. */
export type ColumnType =
  | 'text'
  | 'smallint'
  | 'integer'
  | 'bigint'
  | 'real'
  | 'double precision'
  | 'numeric'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'bytea'
  | 'jsonb'
  | 'uuid'
  | 'text[]'
  | 'integer[]'
  | 'bigint[]'
  | 'real[]'
  | 'double precision[]'
  | 'boolean[]';

const TYPES: Readonly<Record<string, ColumnType>> = {
  smallint: 'smallint',
  int2: 'smallint',
  integer: 'integer',
  int4: 'integer',
  serial: 'integer',
  bigint: 'bigint',
  int8: 'bigint',
  bigserial: 'bigint',
  real: 'real',
  float4: 'real',
  float8: 'double precision',
  'double precision': 'double precision',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  'time without time zone': 'time',
  timestamp: 'timestamp',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
  bytea: 'bytea',
  json: 'jsonb',
  jsonb: 'jsonb',
  uuid: 'uuid',
  'varchar[]': 'text[]',
  'text[]': 'text[]',
  'integer[]': 'integer[]',
  'int4[]': 'integer[]',
  'smallint[]': 'integer[]',
  'bigint[]': 'bigint[]',
  'int8[]': 'bigint[]',
  'real[]': 'real[]',
  'float4[]': 'real[]',
  'float8[]': 'double precision[]',
  'double precision[]': 'double precision[]',
  'boolean[]': 'boolean[]',
};

/** What is unknown is kept as it is written. */
export function columnType(dumped: string): ColumnType {
  return TYPES[dumped.replace(/\([\d,\s]*\)/, '').trim()] ?? 'text';
}

const XSD: Readonly<Record<ColumnType, string>> = {
  text: 'xsd:string',
  smallint: 'xsd:short',
  integer: 'xsd:int',
  bigint: 'xsd:long',
  real: 'xsd:float',
  'double precision': 'xsd:double',
  numeric: 'xsd:decimal',
  boolean: 'xsd:boolean',
  date: 'xsd:date',
  time: 'xsd:time',
  timestamp: 'xsd:dateTime',
  timestamptz: 'xsd:dateTime',
  bytea: 'xsd:base64Binary',
  jsonb: 'xsd:string',
  uuid: 'xsd:string',
  'text[]': 'xsd:string',
  'integer[]': 'xsd:string',
  'bigint[]': 'xsd:string',
  'real[]': 'xsd:string',
  'double precision[]': 'xsd:string',
  'boolean[]': 'xsd:string',
};

export function xsdType(type: ColumnType): string {
  return XSD[type];
}

export function isNumberType(type: ColumnType): boolean {
  return /^(?:smallint|integer|bigint|real|double precision|numeric)$/.test(type);
}

export function isTimeType(type: ColumnType): boolean {
  return type === 'date' || type === 'timestamp' || type === 'timestamptz';
}

/** The geometry of a table, as PostGIS writes it in a type: `MultiPolygonZ`. */
export type GeometryType = {
  readonly kind: GeometryKindName;
  readonly suffix: '' | 'Z' | 'M' | 'ZM';
};

export type GeometryKindName =
  | 'Geometry'
  | 'Point'
  | 'MultiPoint'
  | 'MultiLineString'
  | 'MultiPolygon'
  | 'GeometryCollection'
  | 'PolyhedralSurface'
  | 'Tin';

const GEOMETRIES: Readonly<Record<string, GeometryKindName>> = {
  POINT: 'Point',
  MULTIPOINT: 'MultiPoint',
  // Single ones are promoted on their way in.
  LINESTRING: 'MultiLineString',
  MULTILINESTRING: 'MultiLineString',
  POLYGON: 'MultiPolygon',
  MULTIPOLYGON: 'MultiPolygon',
  GEOMETRYCOLLECTION: 'GeometryCollection',
  POLYHEDRALSURFACE: 'PolyhedralSurface',
  TIN: 'Tin',
};

export function geometryType(dumped: { readonly type: string; readonly dimension: number }): GeometryType {
  const isMeasured = dumped.type.endsWith('M');
  const kind = GEOMETRIES[isMeasured ? dumped.type.slice(0, -1) : dumped.type] ?? 'Geometry';
  const suffix = isMeasured ? 'M' : dumped.dimension === 4 ? 'ZM' : dumped.dimension === 3 ? 'Z' : '';
  return { kind, suffix };
}

/** For kinds as `promote-rows.ts` notes them: the one type that takes them all. */
export function commonKind(kinds: ReadonlySet<string>): GeometryKindName {
  const [only, ...others] = kinds;
  return only === undefined || others.length > 0 ? 'Geometry' : (GEOMETRIES[only] ?? 'Geometry');
}

const GML: Readonly<Record<GeometryKindName, string>> = {
  Geometry: 'gml:GeometryPropertyType',
  Point: 'gml:PointPropertyType',
  MultiPoint: 'gml:MultiPointPropertyType',
  MultiLineString: 'gml:MultiLineStringPropertyType',
  MultiPolygon: 'gml:MultiSurfacePropertyType',
  GeometryCollection: 'gml:MultiGeometryPropertyType',
  PolyhedralSurface: 'gml:GeometryPropertyType',
  Tin: 'gml:GeometryPropertyType',
};

export function gmlType(kind: GeometryKindName): string {
  return GML[kind];
}
