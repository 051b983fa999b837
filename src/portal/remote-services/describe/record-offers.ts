// Records of a catalogue → what it offers. The services that records link to are asked for their capabilities, a few of them, so that a layer is
// known by its versions and formats; what is known of the others is what the record says.

import { parseXml } from '../../../geo/style/xml-tree.ts';
import { withParams } from '../remote-request.ts';
import type { AskService } from './ask-service.ts';
import { chooseLink, type LinkChoice, type RecordLink } from './record-links.ts';
import type { RemoteOffer } from './remote-service.ts';
import { parseWfs } from './wfs-capabilities.ts';
import { parseWms } from './wms-capabilities.ts';
import { parseWmts } from './wmts-capabilities.ts';

export type CatalogueRecord = Omit<RemoteOffer, 'layer' | 'reason' | 'page'> & {
  readonly links: readonly RecordLink[];
  /** What its links are relative to. */
  readonly base: string;
};

/** Services whose capabilities are read for one catalogue. */
const MAX_SERVICES = 6;

export async function offersOfRecords(
  ask: AskService,
  records: readonly CatalogueRecord[],
): Promise<readonly RemoteOffer[]> {
  const chosen = unique(records).map(({ links, base, ...about }) => ({ about, choice: chooseLink(links, base) }));
  const services = new Map<string, readonly RemoteOffer[]>();
  for (const { choice } of chosen) {
    if (choice.kind !== 'service' || services.size >= MAX_SERVICES) continue;
    const key = keyOf(choice);
    if (!services.has(key)) services.set(key, await capabilities(ask, choice));
  }
  return chosen.map(({ about, choice }): RemoteOffer => {
    const page = choice.page === undefined ? {} : { page: choice.page };
    if (choice.kind === 'layer') return { ...about, ...page, layer: choice.layer };
    if (choice.kind === 'none') return { ...about, ...page, layer: undefined, reason: choice.reason };
    const layer = layerAmong(services.get(keyOf(choice)) ?? [], choice.name, about.title) ?? choice.guess;
    return layer === undefined ? { ...about, ...page, layer, reason: 'unnamed' } : { ...about, ...page, layer };
  });
}

type OfService = Extract<LinkChoice, { kind: 'service' }>;

function keyOf({ protocol, url }: OfService): string {
  return `${protocol} ${url}`;
}

/** Empty: it does not say. */
async function capabilities(ask: AskService, { url, protocol }: OfService): Promise<readonly RemoteOffer[]> {
  const { origin, pathname } = new URL(url);
  const service = protocol.toUpperCase();
  const answer = await ask(withParams(origin + pathname, url, { service, request: 'GetCapabilities' }));
  if (!answer.ok) return [];
  const tree = parseXml(answer.value.body.toString('utf8'));
  if (!tree.ok) return [];
  const read = { wms: parseWms, wmts: parseWmts, wfs: parseWfs }[protocol];
  return read(tree.value, url)?.offers ?? [];
}

/** By its name, with or without the workspace before it; by its title where the record does not name it. */
function layerAmong(offers: readonly RemoteOffer[], name: string, title: string): RemoteOffer['layer'] {
  const local = (text: string): string => text.slice(text.indexOf(':') + 1);
  const named =
    name === ''
      ? undefined
      : (offers.find((one) => one.name === name) ?? offers.find((one) => local(one.name) === local(name)));
  const titled = offers.filter((one) => one.title === title);
  return (named ?? (titled.length === 1 ? titled[0] : undefined))?.layer;
}

/** A name stands for one of them: of two with the same, the first is kept. */
function unique(records: readonly CatalogueRecord[]): readonly CatalogueRecord[] {
  const byName = new Map<string, CatalogueRecord>();
  for (const one of records) if (one.name !== '' && !byName.has(one.name)) byName.set(one.name, one);
  return [...byName.values()];
}
