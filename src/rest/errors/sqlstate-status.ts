// The specification's table from SQLSTATE to HTTP status: a code of its own wins over its class, all else is the client's 400.

const BY_CODE: ReadonlyMap<string, number> = new Map([
  ['23503', 409], // foreign key violation
  ['23505', 409], // unique violation
  ['25006', 405], // read-only transaction
  ['53400', 500], // configuration limit exceeded
  ['P0001', 400], // RAISE without a code
  ['42883', 404], // undefined function
  ['42P01', 404], // undefined table
  ['42P17', 500], // infinite recursion
]);

const BY_CLASS: ReadonlyMap<string, number> = new Map([
  ['08', 503], // connection
  ['09', 500], // triggered action
  ['0L', 403], // grantor
  ['0P', 403], // role specification
  ['25', 500], // transaction state
  ['28', 403], // authorization specification
  ['2D', 500], // transaction termination
  ['38', 500], // external routine
  ['39', 500], // external routine invocation
  ['3B', 500], // savepoint
  ['40', 500], // transaction rollback
  ['53', 503], // insufficient resources
  ['54', 500], // too complex
  ['55', 500], // object not in prerequisite state
  ['57', 500], // operator intervention
  ['58', 500], // system error
  ['F0', 500], // configuration file
  ['HV', 500], // foreign data wrapper
  ['P0', 500], // PL/pgSQL
  ['XX', 500], // internal
]);

const INSUFFICIENT_PRIVILEGE = '42501';
const INTERNAL_ERROR = 'XX000';
const INVALID_PARAMETER_VALUE = '22023';

/** PostGIS calls most of what is wrong with a geometry an internal error. */
const OF_GEOMETRIES =
  /^parse error - invalid|GeoJSON|\(at offset [0-9]+\)$|^geometry (?:requires|must|contains)|SRID|^(?:invalid|unknown) (?:hex|WKB|TWKB)|^WKB structure|^transform: /i;

export type SqlFailure = { readonly sqlstate: string; readonly message: string };

export function sqlstateStatus({ sqlstate, message }: SqlFailure, isAuthenticated: boolean): number {
  if (sqlstate === INSUFFICIENT_PRIVILEGE) return isAuthenticated ? 403 : 401;
  // What `set role` says of a role that does not exist: the token is to blame, not the request.
  if (sqlstate === INVALID_PARAMETER_VALUE && /^role .* does not exist$/s.test(message)) return 401;
  // What PostGIS says of a value that is no geometry, in words of its own or of its JSON parser: an input like any other.
  if (sqlstate === INTERNAL_ERROR && OF_GEOMETRIES.test(message)) return 400;
  return BY_CODE.get(sqlstate) ?? BY_CLASS.get(sqlstate.slice(0, 2)) ?? 400;
}
