// The setting `basemaps`: a list in JSON, best kept in a file of its own (`basemaps = "@/etc/survest/basemaps.json"`).

import { isBlobKey } from '../../blobs/blob-store.ts';
import type { OptionType } from '../../kernel/options/option.ts';
import { quoteText } from '../../kernel/options/quote-text.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ArchivePlace, BasemapSetting } from '../../layer-ports/basemap.ts';

/** What was parsed, and the text it was parsed from, which is what is dumped. */
export type BasemapsSetting = { readonly text: string; readonly list: readonly BasemapSetting[] };

export const NO_BASEMAPS: BasemapsSetting = { text: '', list: [] };

const MAX_BASEMAPS = 50;
const MAX_TEXT = 100_000;

export const basemapsType: OptionType<BasemapsSetting> = {
  accepts:
    'a list in JSON, or @ and the path of a file that holds one: objects with id, title, type (style, xyz, wmts, wms, pmtiles) and url or path, as docs/maps-and-styles.md describes them',
  parse(raw) {
    if (raw.kind !== 'text') return err('must be a text in double quotes');
    if (raw.text.trim() === '') return ok(NO_BASEMAPS);
    if (raw.text.length > MAX_TEXT) return err(`is longer than ${MAX_TEXT} characters`);
    const list = parseList(raw.text);
    return list.ok ? ok({ text: raw.text, list: list.value }) : list;
  },
  print: ({ text }) => quoteText(text),
};

function parseList(text: string): Result<readonly BasemapSetting[], string> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return err('is not JSON');
  }
  if (!Array.isArray(given)) return err('is not a list');
  if (given.length > MAX_BASEMAPS) return err(`has more than ${MAX_BASEMAPS} basemaps`);
  const list: BasemapSetting[] = [];
  for (const [i, entry] of given.entries()) {
    const parsed = parseEntry(entry);
    if (!parsed.ok) return err(`basemap ${i + 1}: ${parsed.error}`);
    if (list.some(({ id }) => id === parsed.value.id)) return err(`basemap ${i + 1}: another one has the same id`);
    list.push(parsed.value);
  }
  if (list.filter(({ isDefault }) => isDefault).length > 1) return err('only one of them can be the default');
  return ok(list);
}

class Wrong extends Error {}

/** Says what is wrong with the first thing that is. */
function parseEntry(entry: unknown): Result<BasemapSetting, string> {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return err('is not an object');
  const members = new Members(entry as Readonly<Record<string, unknown>>);
  try {
    const parsed = readEntry(members);
    members.refuseOthers();
    return ok(parsed);
  } catch (error) {
    if (error instanceof Wrong) return err(error.message);
    throw error;
  }
}

function readEntry(members: Members): BasemapSetting {
  const id = members.text('id');
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(id))
    throw new Wrong('id must have 1 to 40 lower-case letters, digits and hyphens');
  if (RESERVED.has(id)) throw new Wrong(`id cannot be ${id}, which is a packaged basemap`);
  const named = {
    id,
    title: members.text('title', id),
    attribution: members.text('attribution', ''),
    attributionUrl: members.optionalAddress('attribution_url'),
    isDefault: members.truth('default'),
    origins: members.addresses('origins'),
  };
  const type = members.oneOf('type', ['style', 'xyz', 'wmts', 'wms', 'pmtiles']);
  if (type === 'style') return { ...named, type, url: members.address('url'), dark: members.optionalAddress('dark') };
  if (type === 'pmtiles') return { ...named, type, place: placeOf(members), tileSize: tileSizeOf(members) };
  const tiled = {
    minzoom: members.whole('minzoom', 0, 0, 24),
    maxzoom: members.whole('maxzoom', 19, 0, 24),
    tileSize: tileSizeOf(members),
  } as const;
  if (tiled.minzoom > tiled.maxzoom) throw new Wrong('minzoom is larger than maxzoom');
  if (type === 'xyz') {
    const urls = members.addresses('url');
    if (urls.length === 0) throw new Wrong('url is missing');
    if (!urls.every((url) => ['{z}', '{x}', '{y}'].every((place) => url.includes(place))))
      throw new Wrong('url must hold {z}, {x} and {y}');
    return { ...named, ...tiled, type, urls };
  }
  const url = members.address('url');
  const format = members.text('format', 'image/png');
  if (type === 'wms')
    return {
      ...named,
      ...tiled,
      type,
      url,
      format,
      layers: members.text('layers'),
      styles: members.text('styles', ''),
      version: members.oneOf('version', ['1.3.0', '1.1.1'], '1.3.0'),
    };
  return {
    ...named,
    ...tiled,
    type,
    url,
    format,
    layer: members.text('layer', ''),
    style: members.text('style', 'default'),
    matrixSet: members.text('matrix_set', 'GoogleMapsCompatible'),
  };
}

function tileSizeOf(members: Members): 256 | 512 {
  const size = members.whole('tile_size', 256, 256, 512);
  if (size !== 256 && size !== 512) throw new Wrong('tile_size must be 256 or 512');
  return size;
}

/** `path` on the disk of the machine, or `key` in the bucket (or folder) that keeps files. */
function placeOf(members: Members): ArchivePlace {
  const [path, key] = [members.text('path', ''), members.text('key', '')];
  if ((path === '') === (key === '')) throw new Wrong('either path or key is needed');
  if (path !== '') return { kind: 'disk', path };
  if (!isBlobKey(key)) throw new Wrong('key must have parts of letters, digits, ., _ and - with / between');
  return { kind: 'blob', key };
}

/** Basemaps that the pages bring along. */
const RESERVED: ReadonlySet<string> = new Set(['world', 'light', 'dark', 'none']);

const MAX_MEMBER = 2000;

/** Members of an object, each read once by its type; the words name the member. */
class Members {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #read = new Set<string>();

  constructor(given: Readonly<Record<string, unknown>>) {
    this.#given = given;
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
  }

  text(name: string, otherwise?: string): string {
    const value = this.#take(name) ?? otherwise;
    if (value === undefined) throw new Wrong(`${name} is missing`);
    if (typeof value !== 'string' || value.length > MAX_MEMBER)
      throw new Wrong(`${name} must be a text of at most ${MAX_MEMBER} characters`);
    return value;
  }

  truth(name: string): boolean {
    const value = this.#take(name) ?? false;
    if (typeof value !== 'boolean') throw new Wrong(`${name} must be true or false`);
    return value;
  }

  whole(name: string, otherwise: number, min: number, max: number): number {
    const value = this.#take(name) ?? otherwise;
    if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
      throw new Wrong(`${name} must be a whole number from ${min} to ${max}`);
    return value as number;
  }

  oneOf<const T extends string>(name: string, words: readonly T[], otherwise?: T): T {
    const value = this.#take(name) ?? otherwise;
    const found = words.find((word) => word === value);
    if (found === undefined) throw new Wrong(`${name} must be one of ${words.join(', ')}`);
    return found;
  }

  address(name: string): string {
    return checked(name, this.text(name));
  }

  optionalAddress(name: string): string | undefined {
    const value = this.text(name, '');
    return value === '' ? undefined : checked(name, value);
  }

  /** One, or a list of up to ten. */
  addresses(name: string): readonly string[] {
    const value = this.#take(name) ?? [];
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (all.length > 10) throw new Wrong(`${name} has more than ten addresses`);
    return all.map((one) => {
      if (typeof one !== 'string' || one.length > MAX_MEMBER)
        throw new Wrong(`${name} must be an address or a list of them`);
      return checked(name, one);
    });
  }

  refuseOthers(): void {
    const other = Object.keys(this.#given).find((name) => !this.#read.has(name));
    if (other !== undefined)
      throw new Wrong(`there is no ${JSON.stringify(other.slice(0, 40))} in a basemap of this type`);
  }
}

/** Absolute, or a path on this portal. What a header cannot hold is in neither. */
function checked(name: string, address: string): string {
  const isPath = /^\/(?!\/)[\x21-\x7e]*$/.test(address);
  const isAbsolute =
    /^https?:\/\/[\x21-\x7e]+$/i.test(address) && URL.canParse(address) && new URL(address).username === '';
  if (!isPath && !isAbsolute) throw new Wrong(`${name} must be an http or https address without a user, or a path`);
  return address;
}
