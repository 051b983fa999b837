// The two collections of the viewer store, over the catalogue's own tables.

import type { BlobStore } from '../../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { empty, raw } from '../../../sql/index.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { Field } from '../../fields/field.ts';
import { writeOnly } from '../../fields/field-makers.ts';
import type { Collection } from '../../operations/collection.ts';
import type { Exchange } from '../../operations/exchange.ts';
import { type Draft, type Given, givenText, withValues } from '../../operations/write/draft.ts';
import type { WriteMode } from '../../operations/write/parse-element.ts';
import { keepThumbnail } from '../item/content-collection.ts';
import { resource } from '../item/fields.ts';
import { LAYERS } from '../map/map-layers.ts';
import { attributeText, layersOf, mapOf, parseAttributes, viewOf } from '../map/viewer-map.ts';
import { users } from '../people/collections.ts';
import { viewerResource, viewerUser } from './fields.ts';

export function viewerResources(path: string, blobs: BlobStore): Collection {
  return {
    path,
    list: 'resources',
    item: 'resource',
    about: 'Maps as the viewer keeps them: the caller’s own.',
    recordType: viewerResource,
    source: {
      row: 'v',
      table: raw('portal.viewer_store v'),
      joins: empty,
      key: raw('v.id'),
      where: [],
      order: { value: raw('v.last_update'), isDescending: true },
      isCatalogue: false,
    },
    rules: {
      recordType: viewerResource,
      searched: ['name'],
      hasExtent: false,
      hasFavourites: false,
      full: ['data', 'attributes'],
    },
    visitors: 'refused',
    listed: [],
    valuePaths: {},
    isBare: true,
    writer: {
      table: 'portal.resource',
      fixed: { resource_type: raw("'map'") },
      touched: 'title',
      prepare: (draft, mode, exchange) => followData(draft, mode, exchange, blobs),
    },
  };
}

const column = (name: string, cast: string): Field =>
  writeOnly(name, { kind: 'json' }, '', { kind: 'column', column: name, cast });

/** Columns of the map that follow from the configuration. */
const VIEW = {
  zoom: column('zoom', 'integer'),
  projection: column('projection', 'text'),
  center_x: column('center_x', 'double precision'),
  center_y: column('center_y', 'double precision'),
} as const;
const TITLE = column('title', 'text');
const ABSTRACT = column('abstract', 'text');

async function followData(
  draft: Draft,
  mode: WriteMode,
  exchange: Exchange,
  blobs: BlobStore,
): Promise<Result<Draft, PortalError>> {
  const changes = new Map<Field, Given>();
  const data = givenText(draft, 'data');
  if (data === undefined || data === null) {
    if (mode === 'create') return err({ kind: 'bad-request', detail: 'Map Configuration (data) is Mandatory!' });
  } else {
    const map = mapOf(JSON.parse(data));
    const layers = layersOf(map);
    if (typeof layers === 'string') return wrong('data', layers);
    const view = viewOf(map);
    for (const [name, field] of Object.entries(VIEW)) {
      changes.set(field, { kind: 'value', text: String(view[name as keyof typeof VIEW]) });
    }
    changes.set(LAYERS, { kind: 'value', text: JSON.stringify(layers) });
  }
  const described = describe(draft, mode, changes);
  if (!described.ok) return described;
  return keepThumbnail(withValues(draft, changes), exchange, blobs);
}

/** Title, abstract and picture come as attributes. */
function describe(draft: Draft, mode: WriteMode, changes: Map<Field, Given>): Result<void, PortalError> {
  const given = givenText(draft, 'attributes');
  const attributes = parseAttributes(given === undefined || given === null ? [] : JSON.parse(given));
  if (typeof attributes === 'string') return wrong('attributes', attributes);
  const title =
    attributeText(attributes, 'title') ?? (mode === 'create' ? (givenText(draft, 'name') ?? undefined) : undefined);
  if (title !== undefined) changes.set(TITLE, { kind: 'value', text: [...title].slice(0, 255).join('') });
  const abstract = attributeText(attributes, 'abstract');
  if (abstract !== undefined) changes.set(ABSTRACT, { kind: 'value', text: [...abstract].slice(0, 2000).join('') });
  const picture = attributeText(attributes, 'thumbnail');
  const thumbnail = resource.byName.get('thumbnail_url');
  // The viewer writes "NODATA" where there is none.
  if (
    picture !== undefined &&
    thumbnail?.type.kind === 'text' &&
    thumbnail.type.pattern?.regex.test(picture) === true
  ) {
    changes.set(thumbnail, { kind: 'value', text: picture });
  }
  return ok(undefined);
}

function wrong(field: string, message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { [field]: [message] } });
}

export function viewerUsers(path: string): Collection {
  return {
    ...users,
    path,
    about: 'Accounts: the caller’s own, and all of them to administrators.',
    recordType: viewerUser,
    rules: { ...users.rules, recordType: viewerUser },
    visitors: 'refused',
    isBare: true,
  };
}
