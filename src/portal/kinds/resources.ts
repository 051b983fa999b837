// Items of every type in one collection, `/api/v2/resources`: what is made there gets the fields of its type.

import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { RecordType } from '../fields/field.ts';
import type { Collection, TypedElement } from '../operations/collection.ts';
import type { Members } from '../operations/write/body-forms.ts';
import type { Draft } from '../operations/write/draft.ts';
import { geoapp, geostory } from './app/fields.ts';
import { typedByAddress, uncoverEmpty, withArrival } from './document/collection.ts';
import { document } from './document/fields.ts';
import { RESOURCE_TYPES, type ResourceType } from './item/common-fields.ts';
import { contentCollection, fixedFor, titledByName } from './item/content-collection.ts';
import { resource } from './item/fields.ts';
import { layer } from './layer/fields.ts';
import { map } from './map/fields.ts';
import { withLayersOfConfig, withViewOfConfig } from './map/map-config.ts';

const SHAPES: Readonly<Record<ResourceType, RecordType>> = { layer, map, document, geoapp, geostory };

export function resources(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/resources',
      about: 'Layers, maps, documents, geoapps and geostories in one list.',
      recordType: resource,
      type: undefined,
      hasExtent: true,
      writer: {
        recordTypeFor: recordTypeOf,
        uncover: uncoverEmpty,
        complete: (element, mode) => (mode === 'create' ? withUsual(element) : withView(element)),
        // Geostories have the same two fields; other items write no name.
        async prepare(draft, mode) {
          const titled = await titledByName(mode === 'create' ? draft : withArrival(draft), mode, geoapp);
          const typed = titled.ok ? await typedByAddress(titled.value) : titled;
          return typed.ok && isNewMap(typed.value) ? withLayersOfConfig(typed.value) : typed;
        },
      },
    },
    blobs,
  );
}

/** A title is enough here for an item of any type: what its own collection asks for beside it has a usual value. */
function withUsual(element: Members): Members {
  switch (element['resource_type']) {
    case 'map':
      return { ...WORLD, ...withView(element) };
    case 'geoapp':
    case 'geostory':
      return 'title' in element ? { name: element['title'], ...element } : element;
    case 'document':
    case undefined:
      // A description that stays out of sight until its content comes.
      return (element['doc_url'] ?? '') === '' ? { ...element, metadata_only: true } : element;
    default:
      return element;
  }
}

function withView(element: Members): Members {
  return element['resource_type'] === 'map' ? withViewOfConfig(element) : element;
}

const WORLD = { zoom: 0, projection: 'EPSG:3857', center_x: 0, center_y: 0 };

/** No new map is without a zoom level. */
function isNewMap(draft: Draft): boolean {
  const zoom = map.byName.get('zoom');
  return zoom !== undefined && draft.has(zoom);
}

/** Which fields a new item has, its type says. Without a type it is a document. */
function recordTypeOf(element: Readonly<Record<string, unknown>>): Result<TypedElement, PortalError> {
  const asked = Object.hasOwn(element, 'resource_type') ? element['resource_type'] : 'document';
  const type = asked === 'dataset' ? 'layer' : RESOURCE_TYPES.find((known) => known === asked);
  if (type === undefined) return wrongType(`"${String(asked).slice(0, 100)}" is not a valid choice.`);
  return ok({ recordType: SHAPES[type], fixed: fixedFor(type) });
}

function wrongType(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { resource_type: [message] } });
}
