// What a request reads once when it starts: settings, schema and everything made from them. A reload makes a new state
// and swaps it in; requests under way keep the one they began with.

import type { CorsRules } from '../../http/cors.ts';
import type { Statement } from '../../pg/driver.ts';
import type { Setting } from '../../pg/scope.ts';
import { ident } from '../../sql/index.ts';
import type { AuthContext, Who } from '../auth/authenticate.ts';
import type { RestConfig } from '../config/config.ts';
import type { RoleSettings } from '../config/role-settings.ts';
import { cursorKey } from '../request/keyset-cursor.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import { corsRules } from './cors-rules.ts';
import { preRequest } from './pre-request.ts';
import { qualified } from './qualified-name.ts';
import { ShapeCache } from './shape-cache.ts';

export type RestState = {
  readonly config: RestConfig;
  /** Of the program. */
  readonly version: string;
  /** For the header `Server`. */
  readonly serverName: string;
  readonly cors: CorsRules;
  readonly auth: AuthContext;
  /** What cursors of keyset pages are signed with. */
  readonly cursorKey: Uint8Array;
  /** Undefined until the database was first reached. */
  readonly cache: SchemaCache | undefined;
  readonly roles: RoleSettings;
  readonly shapes: ShapeCache;
  /** Quoted, by exposed schema. */
  readonly searchPaths: ReadonlyMap<string, string>;
  readonly appSettings: readonly Setting[];
  /** The call of `db-pre-request`, which runs as the caller before the main statement and may raise to refuse. Undefined: there is none. */
  readonly preRequest: Statement | undefined;
  /** For roles that have none of their own; undefined: there is none. */
  readonly timeLimit: readonly Setting[] | undefined;
  /** The call of `db-token-check`; undefined: a token that is signed and not expired is good. */
  readonly tokenCheck: string | undefined;
};

/** As it is once the schema has been loaded. */
export type LoadedState = RestState & { readonly cache: SchemaCache };

export type StateParts = Pick<RestState, 'config' | 'version' | 'auth' | 'cache' | 'roles'>;

export function makeState(parts: StateParts): RestState {
  const { config } = parts;
  const path = (schema: string): string =>
    [schema, ...config.dbExtraSearchPath].map((name) => ident(name).chunks.join('')).join(', ');
  const seconds = config.dbStatementTimeout ?? 0;
  return {
    ...parts,
    cache: withOneSearch(config.dbRelationGuard === undefined ? parts.cache : withoutTelling(parts.cache), config),
    serverName: `survest/${parts.version}`,
    cors: corsRules(config),
    cursorKey: cursorKey([config.jwtSecret, config.dbUri]),
    shapes: new ShapeCache(),
    searchPaths: new Map(
      [...config.dbSchemas, ...(parts.cache?.schemas ?? [])].map((schema) => [schema, path(schema)]),
    ),
    appSettings: [...config.appSettings],
    preRequest: preRequest(config),
    timeLimit: seconds === 0 ? undefined : [['statement_timeout', `${seconds}s`]],
    tokenCheck: config.dbTokenCheck === undefined ? undefined : `${qualified(config.dbTokenCheck)}()`,
  };
}

/** The function that says whether the caller's token is still good. */
export function tokenCheckOf(state: Pick<RestState, 'tokenCheck'>, who: Who): string | undefined {
  if (!who.hasToken) return undefined;
  return who.isOfPortal === true ? `${qualified(PORTAL_TOKEN_CHECK)}()` : state.tokenCheck;
}

export const PORTAL_TOKEN_CHECK = 'portal.check_token';

/** What a request may set by itself is not known when it is planned. */
function withOneSearch(
  cache: SchemaCache | undefined,
  { dbPreRequest, dbHoistedTxSettings }: RestConfig,
): SchemaCache | undefined {
  const maySet = dbPreRequest !== undefined || dbHoistedTxSettings.includes('default_text_search_config');
  return cache === undefined || !maySet ? cache : { ...cache, textSearch: undefined };
}

/** No hint names a relation that the relation guard may hide from whoever asks. */
function withoutTelling(cache: SchemaCache | undefined): SchemaCache | undefined {
  if (cache === undefined) return undefined;
  const told = (schema: string, name: string | undefined): string | undefined =>
    name === undefined || cache.isSecured({ schema, name }) ? undefined : name;
  return {
    ...cache,
    nearestTable: (schema, name) => told(schema, cache.nearestTable(schema, name)),
    nearestRelatedTable: (schema, name) => told(schema, cache.nearestRelatedTable(schema, name)),
    nearestOf: () => undefined,
  };
}
