// Media types that the database makes itself: domains named like one, as results of aggregates and of functions.

import type { MediaHandlerRow } from './catalogue-rows.ts';
import type { MediaHandler } from './schema-cache.ts';

// Type and subtype as RFC 6838 allows them to be named.
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i;

/** The media type a domain of this name declares, in lower case. */
export function mediaTypeOfDomain(name: string): string | undefined {
  return name === '*/*' || MEDIA_TYPE.test(name) ? name.toLowerCase() : undefined;
}

export function makeMediaHandlers(rows: readonly MediaHandlerRow[]): MediaHandler[] {
  return rows.flatMap(({ schema, name, mediaType: domain, relation }) => {
    const mediaType = mediaTypeOfDomain(domain);
    if (mediaType === undefined) return [];
    const aggregate = { schema, name };
    return [relation === null ? { mediaType, aggregate } : { mediaType, relation, aggregate }];
  });
}

export type FindMediaHandler = (
  relation: { readonly schema: string; readonly name: string } | undefined,
  mediaType: string,
) => MediaHandler | undefined;

/** The relation's own handler for anything, its own for this type, anyone's for this type. */
export function makeFindMediaHandler(handlers: readonly MediaHandler[]): FindMediaHandler {
  const own = new Map<string, MediaHandler>();
  const anyones = new Map<string, MediaHandler>();
  for (const handler of handlers) {
    const { relation, mediaType } = handler;
    const [map, key] = relation === undefined ? [anyones, mediaType] : [own, ownKey(relation, mediaType)];
    if (!map.has(key)) map.set(key, handler);
  }
  return (relation, mediaType) => {
    // Few databases have any, and every request asks.
    if (handlers.length === 0) return undefined;
    const ofRelation =
      relation === undefined || own.size === 0
        ? undefined
        : (own.get(ownKey(relation, '*/*')) ?? own.get(ownKey(relation, mediaType)));
    return ofRelation ?? anyones.get(mediaType);
  };
}

/** No name of PostgreSQL's contains a NUL. */
function ownKey(relation: { readonly schema: string; readonly name: string }, mediaType: string): string {
  return `${relation.schema}\0${relation.name}\0${mediaType}`;
}
