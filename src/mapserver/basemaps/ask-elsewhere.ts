// Asks other servers for parts of a basemap: through the safe client, a few at once, within one time for all of them.

import { tileBounds } from '../../geo/tile.ts';
import type { RemoteFault, RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { TileBytes } from './draw-sheets.ts';
import type { PlacedTile } from './view-tiles.ts';

const ALL_MS = 8000;
const AT_ONCE = 6;
const MAX_BYTES = 2_000_000;

export type AskElsewhere = (address: string, accept: string) => Promise<Result<Buffer | undefined, string>>;

/** Undefined: the server has nothing there, and nothing is wrong. All that is asked ends at the same time. */
export function makeAskElsewhere(fetch: RemoteFetch, now: () => number): AskElsewhere {
  const until = now() + ALL_MS;
  return async (address, accept) => {
    const timeoutMs = Math.floor(until - now());
    if (timeoutMs <= 0) return err(`does not answer within ${ALL_MS / 1000} seconds`);
    const reply = await fetch(address, { accept, maxBytes: MAX_BYTES, timeoutMs });
    if (!reply.ok) return err(faultText(reply.error));
    const { status, body } = reply.value;
    if (status === 404 || status === 204) return ok(undefined);
    return status === 200 ? ok(body) : err(`answers ${status}`);
  };
}

export async function tileFrom(
  ask: AskElsewhere,
  templates: readonly string[],
  placed: PlacedTile,
  accept: string,
): Promise<Result<TileBytes | undefined, string>> {
  const { x, y } = placed.tile;
  const bytes = await ask(tileAddress(templates[(x + y) % templates.length] ?? '', placed), accept);
  if (!bytes.ok || bytes.value === undefined) return bytes.ok ? ok(undefined) : bytes;
  return ok({ ...placed, bytes: bytes.value });
}

function tileAddress(template: string, { tile }: PlacedTile): string {
  const places: Readonly<Record<string, string>> = {
    '{z}': String(tile.z),
    '{x}': String(tile.x),
    '{y}': String(tile.y),
    '{bbox-epsg-3857}': tileBounds(tile).join(','),
  };
  return template.replace(/\{(?:z|x|y|bbox-epsg-3857)\}/g, (place) => places[place] ?? place);
}

function faultText(fault: RemoteFault): string {
  switch (fault.kind) {
    case 'refused':
      return fault.why === 'private-address'
        ? 'has an address of a private network: name its host in remote-internal-hosts if the server may ask it'
        : `leads to an address that neither its url nor its origins name (${fault.why})`;
    case 'too-large':
      return `has a tile of more than ${fault.maxBytes} bytes`;
    case 'timeout':
      return `does not answer within ${ALL_MS / 1000} seconds`;
    case 'redirects':
      return 'redirects without an end';
    case 'busy':
      return 'has to wait: too many requests to other servers are under way';
    case 'unreachable':
      return `cannot be reached (${fault.code})`;
  }
}

/** A few at once; the first that fails ends it. Those that are not there are left out. */
export async function inTurn<From extends object, To extends object>(
  all: readonly From[],
  one: (from: From) => Promise<Result<To | undefined, string>>,
): Promise<Result<readonly To[], string>> {
  const found: (To | undefined)[] = [];
  let next = 0;
  let fault: string | undefined;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length && fault === undefined; at = next++) {
      const from = all[at];
      if (from === undefined) return;
      const done = await one(from);
      if (done.ok) found[at] = done.value;
      else fault ??= done.error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, work));
  return fault === undefined ? ok(found.filter((each) => each !== undefined)) : err(fault);
}
