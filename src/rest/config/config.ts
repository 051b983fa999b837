// The REST service's settings after loading: every field checked, aliases resolved, files read.
// What each means, and how it is written, is the option table (`rest-options.ts`); where they come from is `load-config.ts`.

import type { ClaimPath } from '../../auth/claim-path.ts';
import type { RateLimit } from './types/rate-limit.ts';

export type RestConfig = {
  /** Undefined: the same as `serverHost`. */
  readonly adminServerHost: string | undefined;
  readonly adminServerPort: number | undefined;
  /** By full name, `app.settings.` included. */
  readonly appSettings: ReadonlyMap<string, string>;
  readonly dbAggregatesEnabled: boolean;
  readonly dbAnonRole: string | undefined;
  readonly dbChannel: string;
  readonly dbChannelEnabled: boolean;
  readonly dbConfig: boolean;
  readonly dbEventTrigger: boolean;
  readonly dbExplainAs: string | undefined;
  readonly dbExplainRoles: readonly string[];
  readonly dbExtraSearchPath: readonly string[];
  readonly dbHoistedTxSettings: readonly string[];
  readonly dbLive: 'auto' | 'off';
  readonly dbMaxCost: number | undefined;
  readonly dbMaxRows: number | undefined;
  readonly dbPlanEnabled: boolean;
  readonly dbPool: number;
  /** Seconds. */
  readonly dbPoolAcquisitionTimeout: number;
  readonly dbPoolAutomaticRecovery: boolean;
  /** Seconds. */
  readonly dbPoolMaxIdletime: number;
  /** Seconds. */
  readonly dbPoolMaxLifetime: number;
  readonly dbPreConfig: string | undefined;
  readonly dbPreRequest: string | undefined;
  readonly dbPreparedStatements: boolean;
  readonly dbReplicaUris: readonly string[];
  /** Seconds. */
  readonly dbReplicaMaxLag: number;
  readonly dbRootSpec: string | undefined;
  readonly dbRelationGuard: string | undefined;
  readonly dbTokenCheck: string | undefined;
  readonly dbSchemaClaim: ClaimPath | undefined;
  readonly dbSchemas: readonly [string, ...string[]];
  /** A pattern with `*`. */
  readonly dbTenantSchemas: string | undefined;
  readonly dbTxEnd: 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override';
  /** Undefined: the embedded database. */
  readonly dbUri: string | undefined;
  readonly jwtAud: string | undefined;
  readonly jwtCacheMaxEntries: number;
  /** Seconds. */
  readonly jwtCacheMaxLifetime: number;
  readonly jwtCookie: string | undefined;
  readonly jwtRoleClaimKey: ClaimPath;
  /** With `jwtSecretIsBase64` still encoded, in plain padded base64: bytes need not be text. */
  readonly jwtSecret: string | undefined;
  readonly jwtSecretIsBase64: boolean;
  /** JWK set of the portal beside the service, where `jwtSecret` has the keys of somebody else: tokens of both are taken. */
  readonly portalKeys?: string;
  /** Seconds. */
  readonly liveGracePeriod: number;
  /** Seconds. */
  readonly liveHeartbeat: number;
  /** Bytes. */
  readonly liveMaxQueue: number;
  readonly liveMaxRows: number;
  readonly liveMaxRowsTotal: number;
  readonly liveMaxStreams: number;
  /** Seconds. */
  readonly liveRecheck: number;
  readonly liveReplicationUri: string | undefined;
  readonly logFormat: 'text' | 'json';
  readonly logLevel: 'crit' | 'error' | 'warn' | 'info' | 'debug';
  readonly errorCodes: 'svrst' | 'pgrst';
  readonly logQuery: 'disabled' | 'main-query';
  readonly mcp: 'off' | 'read' | 'write';
  readonly mcpMaxCost: number;
  readonly openapiMode: 'follow-privileges' | 'ignore-privileges' | 'disabled';
  readonly openapiSecurityActive: boolean;
  readonly openapiServerProxyUri: string | undefined;
  /** Bytes; 0: never compress. */
  readonly serverCompressionMinSize: number;
  /** First segment of the address of batches; empty: there is none. */
  readonly serverBatchPath: string;
  /** Requests. */
  readonly serverBatchSize: number;
  /** Undefined: any origin. */
  readonly serverCorsAllowedOrigins: readonly string[] | undefined;
  readonly serverHost: string;
  /** Hosts whose requests are about this database, one of several. */
  readonly serverHosts: readonly string[];
  /** Bytes. */
  readonly serverMaxBodySize: number;
  readonly serverOtlpEndpoint: string | undefined;
  /** `name=value`. */
  readonly serverOtlpHeaders: readonly string[];
  /** Bytes. */
  readonly serverMaxStreamedBodySize: number;
  /** Bytes. */
  readonly serverMaxMemory: number;
  readonly serverPort: number;
  readonly serverRateLimit: RateLimit | undefined;
  readonly serverEtag: boolean;
  /** Seconds. */
  readonly serverDrainDelay: number;
  readonly serverStallTimeout: number;
  readonly serverStreamTimeout: number;
  /** Seconds; 0: none. */
  readonly dbStatementTimeout: number | undefined;
  readonly serverTimingEnabled: boolean;
  /** From 0 to 1. */
  readonly serverTraceRatio: number;
  readonly serverTraceHeader: string | undefined;
  /** Addresses and CIDR ranges. */
  readonly serverTrustedProxies: readonly string[];
  readonly serverUnixSocket: string | undefined;
  /** File mode bits. */
  readonly serverShortcuts: readonly string[];
  readonly serverUnixSocketMode: number;
  readonly serverWorkers: number | 'auto';
};
