// Documents of the service root, each made once: a root request that sees what an earlier one saw gets the bytes of then.
// They are kept with the schema cache they describe and go with it.

import { inSlices } from '../../../kernel/in-slices.ts';
import type { RestConfig } from '../../config/config.ts';
import type { Visible } from '../../run/ask-visible.ts';
import type { SchemaCache } from '../../schema-cache/schema-cache.ts';
import type { ApiDescription } from './api-description.ts';
import { openapi31Steps } from './openapi31.ts';
import { serverAddress } from './server-address.ts';
import { swagger2Steps } from './swagger2.ts';
import { visibleDigest, visibleRoutines, visibleTables } from './visible.ts';

export type DocumentFormat = 'swagger-2.0' | 'openapi-3.1';

export type DocumentRequest = {
  readonly format: DocumentFormat;
  readonly schema: string;
  readonly cache: SchemaCache;
  readonly visible: Visible;
  readonly config: Pick<
    RestConfig,
    | 'openapiServerProxyUri'
    | 'serverHost'
    | 'serverPort'
    | 'openapiSecurityActive'
    | 'dbAnonRole'
    | 'dbSchemas'
    | 'dbExtraSearchPath'
  > &
    Partial<Pick<RestConfig, 'serverBatchPath' | 'serverBatchSize'>>;
  /** Version of the service. */
  readonly version: string;
  /** Path the service is mounted at, when not at the root. */
  readonly mount?: string;
  readonly docs?: { readonly description: string; readonly url: string };
};

export type Documents = {
  /** UTF-8 JSON, ready to be sent. A large one takes a while to make; others get their turns meanwhile. */
  readonly document: (request: DocumentRequest) => Promise<Buffer>;
};

// Ten thousand tables make tens of megabytes; the roles of a database see few different sets of them.
const KEPT_BYTES = 64 * 1024 * 1024;

type Kept = { readonly documents: Map<string, Buffer>; readonly inTheMaking: Map<string, Promise<Buffer>> };

export function makeDocuments(keptBytes: number = KEPT_BYTES): Documents {
  const byCache = new WeakMap<SchemaCache, Kept>();
  return {
    document: async (request) => {
      const kept: Kept = byCache.get(request.cache) ?? { documents: new Map(), inTheMaking: new Map() };
      byCache.set(request.cache, kept);
      const { documents, inTheMaking } = kept;
      const key = documentKey(request);
      const found = documents.get(key);
      if (found !== undefined) {
        // Last asked for goes last; what goes over the limit goes from the front.
        documents.delete(key);
        documents.set(key, found);
        return found;
      }
      let making = inTheMaking.get(key);
      if (making === undefined) {
        making = makeDocument(request).finally(() => inTheMaking.delete(key));
        inTheMaking.set(key, making);
      }
      const made = await making;
      documents.set(key, made);
      dropOldest(documents, keptBytes);
      return made;
    },
  };
}

function documentKey({ format, schema, visible, config, version, mount, docs }: DocumentRequest): string {
  return JSON.stringify([
    format,
    schema,
    visibleDigest(visible),
    version,
    mount,
    docs,
    config.openapiServerProxyUri,
    config.serverHost,
    config.serverPort,
    config.openapiSecurityActive,
    config.dbAnonRole === undefined,
    config.dbSchemas,
    config.serverBatchPath,
    config.serverBatchSize,
  ]);
}

function dropOldest(kept: Map<string, Buffer>, limit: number): void {
  let bytes = 0;
  for (const { byteLength } of kept.values()) bytes += byteLength;
  for (const [key, { byteLength }] of kept) {
    // The newest stays, however large: it is the one being asked for.
    if (bytes <= limit || kept.size === 1) return;
    kept.delete(key);
    bytes -= byteLength;
  }
}

async function makeDocument(request: DocumentRequest): Promise<Buffer> {
  const api = describeApi(request);
  const steps = request.format === 'swagger-2.0' ? swagger2Steps(api) : openapi31Steps(api);
  return Buffer.from(await inSlices(steps), 'utf8');
}

/** The schema as the caller may know it, sorted by name so that equal sets make equal documents. */
function describeApi(request: DocumentRequest): ApiDescription {
  const { schema, cache, visible, config, version, mount, docs } = request;
  return {
    schema,
    exposedSchemas: config.dbSchemas,
    searchPath: [schema, ...config.dbExtraSearchPath],
    comment: visible.comment,
    tables: visibleTables(visible, cache.tablesOf(schema)).toSorted(byName),
    routines: visibleRoutines(visible, cache.routinesOf(schema)).toSorted(byName),
    cache,
    address: serverAddress({ ...config, ...(mount !== undefined && { mount }) }),
    version,
    securityActive: config.openapiSecurityActive,
    anonymousAllowed: config.dbAnonRole !== undefined,
    ...(docs !== undefined && { docs }),
    ...batchOf(request),
  };
}

/** A relation of that name is what its address means. */
function batchOf({ schema, cache, config }: DocumentRequest): Pick<ApiDescription, 'batch'> {
  const { serverBatchPath: path = '', serverBatchSize: size = 0 } = config;
  return path === '' || cache.table(schema, path) !== undefined ? {} : { batch: { path, size } };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
