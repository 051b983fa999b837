// Accept → how the rows become the body. The first entry that can be produced wins; a handler of the database comes
// before the built-in form of the same type.

import { err, ok, type Result } from '../../kernel/result.ts';
import { type MediaType, mediaTypeName, mediaTypeToHeader } from '../request/media-type.ts';
import type { Identifier, MediaHandler, Routine, SchemaCache } from '../schema-cache/schema-cache.ts';
import type { BodyFormat, DescribePlan, Explain, Negotiated } from './plan.ts';
import type { PlanError } from './plan-error.ts';

export type NegotiationContext = {
  readonly cache: SchemaCache;
  readonly relation: Identifier;
  /** Set for calls: the function may return a media type's domain itself. */
  readonly routine: Routine | undefined;
  readonly selectsEverything: boolean;
  readonly planEnabled: boolean;
  /** Rows come one by one, so that columns can be made of them. */
  readonly columnar?: boolean;
  /** The rows of a relation may be followed. */
  readonly liveEnabled?: boolean;
  /** HEAD, or a write that shows nothing: the type is settled all the same, the body left out. */
  readonly bodyless: boolean;
};

export function negotiate(accept: readonly MediaType[], context: NegotiationContext): Result<Negotiated, PlanError> {
  for (const media of accept) {
    const found = produce(media, context);
    if (found !== undefined)
      return ok(context.bodyless && found.explain === undefined ? { ...found, format: { kind: 'none' } } : found);
  }
  return err({ kind: 'not-acceptable', types: accept.map(mediaTypeName) });
}

/** The root describes itself in Swagger 2.0, or in OpenAPI 3.1 where that is asked for by name. */
export function negotiateDescription(accept: readonly MediaType[], headOnly: boolean): Result<DescribePlan, PlanError> {
  for (const media of accept) {
    if (media.kind === 'openapi3') return ok({ kind: 'describe', document: 'openapi31', headOnly });
    if (media.kind === 'openapi' || media.kind === 'json' || media.kind === 'any')
      return ok({ kind: 'describe', document: 'swagger2', headOnly });
  }
  return err({ kind: 'not-acceptable', types: accept.map(mediaTypeName) });
}

function produce(media: MediaType, context: NegotiationContext): Negotiated | undefined {
  switch (media.kind) {
    case 'plan': {
      const inner = context.planEnabled
        ? produce(media.for, { ...context, planEnabled: false, liveEnabled: false })
        : undefined;
      const explain: Explain = { format: media.format, options: media.options };
      return inner === undefined
        ? undefined
        : { ...inner, contentType: mediaTypeToHeader(media), singular: false, explain };
    }
    case 'array':
    case 'object':
      return builtIn(media, { kind: media.kind, nullsStripped: media.nullsStripped });
    case 'json':
    case 'any':
      return declared(media, context) ?? builtIn({ kind: 'json' }, { kind: 'array', nullsStripped: false });
    case 'csv':
    case 'geojson':
    case 'geojson-seq':
    case 'ndjson':
      return declared(media, context) ?? builtIn(media, { kind: media.kind });
    case 'arrow':
    case 'parquet':
      return declared(media, context) ?? (context.columnar === true ? builtIn(media, { kind: media.kind }) : undefined);
    case 'events':
      return (
        declared(media, context) ?? (context.liveEnabled === true ? builtIn(media, { kind: 'events' }) : undefined)
      );
    default:
      return declared(media, context);
  }
}

function builtIn(media: MediaType, format: BodyFormat): Negotiated {
  return { format, contentType: mediaTypeToHeader(media), singular: format.kind === 'object', explain: undefined };
}

const OCTETS = 'application/octet-stream';

/** What the database itself declares for the type. */
function declared(media: MediaType, context: NegotiationContext): Negotiated | undefined {
  const name = mediaTypeName(media);
  const returned = context.routine === undefined ? undefined : context.cache.routineMediaType(context.routine);
  if (returned !== undefined && (returned === name || returned === '*/*')) {
    return { format: { kind: 'value' }, contentType: headerOf(returned, media), singular: false, explain: undefined };
  }
  const handler = handlerFor(name, context);
  if (handler === undefined) return undefined;
  return {
    format: { kind: 'handler', handler },
    contentType: headerOf(handler.mediaType, media),
    singular: false,
    explain: undefined,
  };
}

/** A handler of the relation's own rows needs them whole; one for any rows takes any. */
function handlerFor(
  name: string,
  { cache, relation, selectsEverything }: NegotiationContext,
): MediaHandler | undefined {
  return selectsEverything ? cache.mediaHandler(relation, name) : cache.mediaHandler(undefined, name);
}

function headerOf(declaredType: string, asked: MediaType): string {
  if (declaredType === '*/*') return OCTETS;
  return asked.kind === 'any' ? declaredType : mediaTypeToHeader(asked);
}
