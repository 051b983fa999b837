// The collections of items: all together, and each type by itself.

import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { NOWHERE } from '../errors/constraint-messages.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Shape } from '../fields/field.ts';
import type { Collection, ElementShape } from '../operations/collection.ts';
import { type Draft, type Given, givenField, givenText, withValues } from '../operations/write/draft.ts';
import { geoapp, geostory } from './app/fields.ts';
import { docTypeOf, extensionOf } from './document/document-types.ts';
import { document } from './document/fields.ts';
import { RESOURCE_TYPES, type ResourceType } from './item/common-fields.ts';
import { contentCollection, fixedFor, titledByName } from './item/content-collection.ts';
import { resource } from './item/fields.ts';
import { layer } from './layer/fields.ts';
import { map } from './map/fields.ts';

const SHAPES: Readonly<Record<ResourceType, Shape>> = { layer, map, document, geoapp, geostory };

export function resources(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/resources',
      about: 'Layers, maps, documents, geoapps and geostories in one list.',
      shape: resource,
      type: undefined,
      hasExtent: true,
      writer: {
        shapeFor: shapeOfType,
        lacks: contentOfDocument,
        // Geostories have the same two fields; other items write no name.
        async prepare(draft, mode) {
          const titled = await titledByName(draft, mode, geoapp);
          return titled.ok ? typedByAddress(titled.value) : titled;
        },
      },
    },
    blobs,
  );
}

/** Which fields a new item has, its type says. Without a type it is a document. */
function shapeOfType(element: Readonly<Record<string, unknown>>): Result<ElementShape, PortalError> {
  const asked = Object.hasOwn(element, 'resource_type') ? element['resource_type'] : 'document';
  const type = RESOURCE_TYPES.find((known) => known === asked);
  if (type === undefined) return wrongType(`"${String(asked).slice(0, 100)}" is not a valid choice.`);
  return ok({ shape: SHAPES[type], fixed: fixedFor(type) });
}

function wrongType(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { resource_type: [message] } });
}

export function layers(blobs: BlobStore): Collection {
  return contentCollection(
    { path: '/api/v2/layers', about: 'Layers: features or pixels.', shape: layer, type: 'layer', hasExtent: true },
    blobs,
  );
}

/** Layers under the name that later clients know them by. */
export function datasets(blobs: BlobStore): Collection {
  return { ...layers(blobs), path: '/api/v2/datasets', list: 'datasets', item: 'dataset' };
}

export function maps(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/maps',
      about: 'Maps: layers on top of each other, and how to look at them.',
      shape: map,
      type: 'map',
      hasExtent: true,
      valuePaths: { data: 'MapData' },
    },
    blobs,
  );
}

export function documents(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/documents',
      about: 'Documents: files, or addresses of files elsewhere.',
      shape: document,
      type: 'document',
      hasExtent: true,
      writer: { prepare: typedByAddress, lacks: contentOfDocument },
    },
    blobs,
  );
}

/** A document is a file or an address; nobody could open one that is neither. */
function contentOfDocument(draft: Draft, shape: Shape): PortalError | undefined {
  if (shape !== document || givenField(draft, 'doc_file') !== undefined) return undefined;
  return (givenText(draft, 'doc_url') ?? '') === ''
    ? { kind: 'invalid-fields', fields: { doc_file: [NOWHERE] } }
    : undefined;
}

/** What an address ends in tells what is behind it, where nobody says. */
async function typedByAddress(draft: Draft): Promise<Result<Draft, PortalError>> {
  const address = givenText(draft, 'doc_url');
  if (address === undefined || address === null || !URL.canParse(address)) return ok(draft);
  const ending = extensionOf(new URL(address).pathname);
  const extension = document.byName.get('extension');
  const docType = document.byName.get('doc_type');
  if (ending === '' || extension === undefined || docType === undefined) return ok(draft);
  const changes = new Map<typeof extension, Given>();
  if (!draft.has(extension)) changes.set(extension, { kind: 'value', text: ending });
  if (!draft.has(docType)) changes.set(docType, { kind: 'value', text: docTypeOf(ending) });
  return ok(withValues(draft, changes));
}

const NO_NAME: PortalError = {
  kind: 'invalid-request',
  messages: ["No valid data: 'name' and 'owner' are mandatory fields!"],
};

/** An app without a name is told so in the words its clients know; the owner is who makes it, if nobody else is named. */
function namelessApp(element: Readonly<Record<string, unknown>>): PortalError | undefined {
  return Object.hasOwn(element, 'name') ? undefined : NO_NAME;
}

export function geoapps(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/geoapps',
      about: 'Apps whose content is one JSON document.',
      shape: geoapp,
      type: 'geoapp',
      hasExtent: true,
      valuePaths: { data: 'GeoAppData' },
      writer: { complain: namelessApp, prepare: (draft, mode) => titledByName(draft, mode, geoapp) },
    },
    blobs,
  );
}

export function geostories(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/geostories',
      about: 'Stories told with maps, pictures and text.',
      shape: geostory,
      type: 'geostory',
      hasExtent: false,
      valuePaths: { data: 'GeoAppData' },
      writer: { complain: namelessApp, prepare: (draft, mode) => titledByName(draft, mode, geostory) },
    },
    blobs,
  );
}
