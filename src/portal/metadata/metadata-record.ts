// The metadata record: what is known about one catalogue item, in the form that all metadata formats (ISO 19139, Dublin Core, FGDC, Atom,
// DCAT) are written from. It is made of the item as the API shows it to the caller, so it tells nothing that the caller may not see.

import type { Box } from '../../geo/bbox.ts';
import type { ResourceType } from '../kinds/item/common-fields.ts';

export type Contact = { readonly role: 'owner' | 'pointOfContact' | 'author'; readonly name: string };

export type MetadataLink = {
  /** `OGC:WMS`, `data`, `image`, `metadata` … */
  readonly type: string;
  readonly name: string;
  readonly mime: string;
  readonly url: string;
};

type ThesaurusWords = {
  readonly title: string;
  readonly words: readonly { readonly name: string; readonly uri: string | undefined }[];
};

export type MetadataRecord = {
  readonly id: number;
  readonly uuid: string;
  readonly type: ResourceType;
  /** `vector`, `raster` …; undefined: it is no layer. */
  readonly subtype: string | undefined;
  readonly title: string;
  /** This and all other texts are plain: without HTML. */
  readonly abstract: string;
  readonly purpose: string | undefined;
  readonly supplement: string | undefined;
  readonly quality: string | undefined;
  readonly edition: string | undefined;
  readonly doi: string | undefined;
  /** `portal:rivers`, of layers. */
  readonly alternate: string | undefined;
  /** ISO 639-2. */
  readonly language: string;
  /** Times are ISO 8601, in UTC. */
  readonly date: { readonly value: string; readonly type: 'creation' | 'publication' | 'revision' };
  readonly created: string;
  readonly updated: string;
  readonly keywords: readonly string[];
  /** Words of thesauri, by thesaurus. */
  readonly thesauri: readonly ThesaurusWords[];
  readonly regions: readonly string[];
  /** Topic category of ISO 19115. */
  readonly category: string | undefined;
  readonly maintenance: string | undefined;
  /** When the data of a layer were renewed last, and whether that is as often as `maintenance` says. */
  readonly dataUpdated: string | undefined;
  readonly freshness: string | undefined;
  /** How space is represented: `vector`, `grid` … */
  readonly representation: string | undefined;
  readonly restriction: string | undefined;
  readonly constraints: string | undefined;
  readonly license: { readonly name: string; readonly url: string | undefined } | undefined;
  readonly attribution: string | undefined;
  /** Degrees of WGS 84. */
  readonly extent: Box | undefined;
  /** `EPSG:25832`. */
  readonly srid: string;
  readonly period: { readonly start: string | undefined; readonly end: string | undefined } | undefined;
  readonly contacts: readonly Contact[];
  readonly links: readonly MetadataLink[];
  readonly thumbnail: string | undefined;
  /** Its page, for people. */
  readonly page: string;
};

/** The members of an item of the API that a record is made of. */
export type ShownItem = {
  readonly pk: string;
  readonly uuid: string;
  readonly resource_type: ResourceType;
  readonly subtype: string | null;
  readonly title: string;
  readonly raw_abstract: string | null;
  readonly raw_purpose: string | null;
  readonly raw_supplemental_information: string | null;
  readonly raw_data_quality_statement: string | null;
  readonly raw_constraints_other: string | null;
  readonly edition: string | null;
  readonly doi: string | null;
  readonly alternate: string | null;
  readonly language: string;
  readonly date: string;
  readonly date_type: 'creation' | 'publication' | 'revision';
  readonly created: string;
  readonly last_updated: string;
  readonly keywords: readonly { readonly name: string }[];
  readonly tkeywords: readonly {
    readonly name: string;
    readonly uri: string | null;
    readonly thesaurus: { readonly name: string };
  }[];
  readonly regions: readonly { readonly name: string }[];
  readonly category: { readonly identifier: string } | null;
  readonly maintenance_frequency: string | null;
  readonly data_updated: string | null;
  readonly freshness: string | null;
  readonly spatial_representation_type: { readonly identifier: string } | null;
  readonly restriction_code_type: { readonly identifier: string } | null;
  readonly license: { readonly identifier: string; readonly name: string; readonly url: string | null } | null;
  readonly attribution: string | null;
  readonly ll_bbox_polygon: { readonly coordinates: unknown } | null;
  readonly srid: string;
  readonly temporal_extent_start: string | null;
  readonly temporal_extent_end: string | null;
  readonly owner: ShownAccount | null;
  readonly poc: ShownAccount | null;
  readonly metadata_author: ShownAccount | null;
  readonly links: readonly {
    readonly link_type: string;
    readonly name: string;
    readonly mime: string;
    readonly url: string;
  }[];
  readonly thumbnail_url: string | null;
  readonly detail_url: string;
};

type ShownAccount = { readonly username: string; readonly first_name: string; readonly last_name: string };

export function toMetadataRecord(item: ShownItem): MetadataRecord {
  const { temporal_extent_start: start, temporal_extent_end: end } = item;
  return {
    id: Number(item.pk),
    uuid: item.uuid,
    type: item.resource_type,
    subtype: layerSubtype(item),
    title: item.title,
    abstract: item.raw_abstract ?? '',
    purpose: said(item.raw_purpose),
    // The text that new items have is no information.
    supplement: said(item.raw_supplemental_information === NO_SUPPLEMENT ? null : item.raw_supplemental_information),
    quality: said(item.raw_data_quality_statement),
    edition: said(item.edition),
    doi: said(item.doi),
    alternate: said(item.alternate),
    language: item.language,
    date: { value: item.date, type: item.date_type },
    created: item.created,
    updated: item.last_updated,
    keywords: item.keywords.map(({ name }) => name),
    thesauri: thesauriOf(item),
    regions: item.regions.map(({ name }) => name),
    category: item.category?.identifier,
    maintenance: item.maintenance_frequency ?? undefined,
    dataUpdated: item.data_updated ?? undefined,
    freshness: item.freshness ?? undefined,
    representation: item.spatial_representation_type?.identifier ?? representationOf(layerSubtype(item)),
    restriction: item.restriction_code_type?.identifier,
    constraints: said(item.raw_constraints_other),
    license: item.license === null ? undefined : { name: item.license.name, url: item.license.url ?? undefined },
    attribution: said(item.attribution),
    extent: boxAround(item.ll_bbox_polygon?.coordinates),
    srid: item.srid,
    period: start === null && end === null ? undefined : { start: start ?? undefined, end: end ?? undefined },
    contacts: contactsOf(item),
    links: item.links.map(({ link_type: type, name, mime, url }) => ({ type, name, mime, url })),
    // A picture that was stored as an address may be anything that people write.
    thumbnail: item.thumbnail_url?.startsWith('http') === true ? item.thumbnail_url : undefined,
    page: item.detail_url,
  };
}

/** For records whose standard has no word for it: when the data were renewed last, how often they are said to be, and whether that holds. */
export function freshnessProperties({ dataUpdated, maintenance, freshness }: MetadataRecord): Record<string, string> {
  return {
    ...(dataUpdated === undefined ? {} : { 'survest:data_updated': dataUpdated }),
    ...(maintenance === undefined ? {} : { 'survest:frequency': maintenance }),
    ...(freshness === undefined ? {} : { 'survest:freshness': freshness }),
  };
}

const NO_SUPPLEMENT = 'No information provided';

function said(text: string | null): string | undefined {
  return text === null || text.trim() === '' ? undefined : text;
}

function thesauriOf({ tkeywords }: ShownItem): readonly ThesaurusWords[] {
  const byTitle = new Map<string, { name: string; uri: string | undefined }[]>();
  for (const { name, uri, thesaurus } of tkeywords) {
    const words = byTitle.get(thesaurus.name) ?? [];
    words.push({ name, uri: uri ?? undefined });
    byTitle.set(thesaurus.name, words);
  }
  return [...byTitle].map(([title, words]) => ({ title, words }));
}

/** Documents have one, too: what kind of document it is. */
function layerSubtype({ resource_type: type, subtype }: ShownItem): string | undefined {
  return type === 'layer' ? (subtype ?? undefined) : undefined;
}

function representationOf(subtype: string | undefined): string | undefined {
  if (subtype === undefined) return undefined;
  if (subtype === 'raster') return 'grid';
  return subtype === 'tabular' ? 'textTable' : 'vector';
}

function contactsOf({ owner, poc, metadata_author: author }: ShownItem): readonly Contact[] {
  const contact = (role: Contact['role'], account: ShownAccount | null): readonly Contact[] =>
    account === null ? [] : [{ role, name: nameOf(account) }];
  return [...contact('owner', owner), ...contact('pointOfContact', poc), ...contact('author', author)];
}

function nameOf({ username, first_name: first, last_name: last }: ShownAccount): string {
  return `${first} ${last}`.trim() || username;
}

/** Around all positions of a polygon or of several, however deep they stand. */
function boxAround(coordinates: unknown): Box | undefined {
  let box: Box | undefined;
  for (const [x, y] of positionsIn(coordinates)) {
    box =
      box === undefined
        ? [x, y, x, y]
        : [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
  }
  return box;
}

function* positionsIn(value: unknown): Generator<readonly [number, number]> {
  if (!Array.isArray(value)) return;
  const [x, y] = value;
  if (typeof x === 'number' && typeof y === 'number') yield [x, y];
  else for (const inner of value) yield* positionsIn(inner);
}
