// An entry of the list of basemaps, as a setting or an administrator writes it → a basemap, or what is wrong with the first member that is. Pure.

import { isBlobKey } from '../../blobs/blob-store.ts';
import { policyOrigin } from '../../kernel/policy-origin.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ArchivePlace, BasemapSetting } from '../../layer-ports/basemap.ts';

class Wrong extends Error {}

export function parseBasemap(entry: unknown): Result<BasemapSetting, string> {
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

/** `path` on the disk of the machine, `key` in the bucket (or folder) that keeps files, or the `url` of an archive elsewhere. */
function placeOf(members: Members): ArchivePlace {
  const [path, key, url] = [members.text('path', ''), members.text('key', ''), members.optionalAddress('url')];
  if ([path, key, url ?? ''].filter((one) => one !== '').length !== 1)
    throw new Wrong('one of path, key and url is needed');
  if (url?.startsWith('/') === true) throw new Wrong('url of an archive must be an http or https address');
  if (url !== undefined) return { kind: 'web', url };
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
  if (isAbsolute && policyOrigin(address) === undefined) throw new Wrong(`${name} has no host that can be asked`);
  return address;
}
