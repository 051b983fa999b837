// A catalogue service (CSW 2.0.2, 3.0) → what it offers: its records, ISO 19139 where it writes that, since only there a link names its layer;
// else Dublin Core.

import { childOf, childrenOf, parseXml, textOf, type XmlElement } from '../../../geo/style/xml-tree.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { Box } from '../remote-request.ts';
import { withParams } from '../remote-request.ts';
import type { AskService, DescribeFault } from './ask-service.ts';
import { NO_LINK, type RecordLink } from './record-links.ts';
import { type CatalogueRecord, offersOfRecords } from './record-offers.ts';
import { bounded, boxOf, keywordsOf, MAX_OFFERS, type RemoteService } from './remote-service.ts';

const GMD = 'http://www.isotc211.org/2005/gmd';
const PAGE = 100;

export function isCsw(root: XmlElement): boolean {
  const about = childOf(root, 'ServiceIdentification');
  return root.name === 'Capabilities' && /csw/i.test(textOf(childOf(about, 'ServiceType')).slice(0, 100));
}

/** `root`: its capabilities. */
export async function readCsw(
  ask: AskService,
  root: XmlElement,
  url: string,
): Promise<Result<RemoteService, DescribeFault>> {
  const about = childOf(root, 'ServiceIdentification');
  const records: CatalogueRecord[] = [];
  let truncated = false;
  for (let start = 1; start > 0; ) {
    if (records.length >= MAX_OFFERS) {
      truncated = true;
      break;
    }
    const answer = await ask(pageAddress(root, url, start));
    if (!answer.ok) {
      if (start === 1) return answer;
      truncated = true;
      break;
    }
    const tree = parseXml(answer.value.body.toString('utf8'));
    const results = tree.ok ? childOf(tree.value, 'SearchResults') : undefined;
    const found = childrenOf(results).flatMap((one) => recordOf(one, url));
    records.push(...found);
    const next = Number(results?.attributes['nextRecord'] ?? 0);
    // A service that begins anew has told everything.
    start = found.length > 0 && next > start ? next : 0;
  }
  return ok({
    kind: 'csw',
    title: bounded(textOf(childOf(about, 'Title')), 255),
    abstract: bounded(textOf(childOf(about, 'Abstract')), 2000),
    offers: await offersOfRecords(ask, records.slice(0, MAX_OFFERS)),
    truncated,
  });
}

function pageAddress(root: XmlElement, url: string, start: number): string {
  const isNew = (root.attributes['version'] ?? '').startsWith('3');
  const operation = childrenOf(childOf(root, 'OperationsMetadata'), 'Operation').find(
    ({ attributes }) => attributes['name'] === 'GetRecords',
  );
  const schemas = childrenOf(operation, 'Parameter')
    .filter(({ attributes }) => attributes['name']?.toLowerCase() === 'outputschema')
    .flatMap((one) => [...childrenOf(one, 'Value'), ...childrenOf(childOf(one, 'AllowedValues'), 'Value')].map(textOf));
  const isIso = schemas.includes(GMD);
  const { origin, pathname } = new URL(url);
  return withParams(origin + pathname, url, {
    service: 'CSW',
    version: isNew ? '3.0.0' : '2.0.2',
    request: 'GetRecords',
    typenames: isIso ? 'gmd:MD_Metadata' : 'csw:Record',
    elementsetname: 'full',
    resulttype: 'results',
    outputschema: isIso ? GMD : `http://www.opengis.net/cat/csw/${isNew ? '3.0' : '2.0.2'}`,
    outputformat: 'application/xml',
    startposition: String(start),
    maxrecords: String(PAGE),
    ...(isIso ? { namespace: `xmlns(gmd=${GMD})` } : {}),
  });
}

function recordOf(one: XmlElement, base: string): readonly CatalogueRecord[] {
  const read = one.name === 'MD_Metadata' ? isoRecord(one) : one.name.endsWith('Record') ? dublinCore(one) : undefined;
  return read === undefined || read.name === '' ? [] : [{ ...read, base }];
}

type Read = Omit<CatalogueRecord, 'base'>;

function dublinCore(one: XmlElement): Read {
  const text = (name: string): string => textOf(childOf(one, name));
  const name = text('identifier').slice(0, 500);
  const box = childOf(one, 'BoundingBox', 'WGS84BoundingBox');
  return {
    name,
    title: bounded(text('title'), 255) || name,
    abstract: bounded(text('abstract') || text('description'), 2000),
    keywords: keywordsOf(childrenOf(one, 'subject').map(textOf)),
    bbox: box === undefined ? undefined : boxOfCorners(box),
    attribution: '',
    links: childrenOf(one, 'references', 'URI').map(
      (link): RecordLink => ({
        ...NO_LINK,
        href: textOf(link),
        protocol: link.attributes['scheme'] ?? link.attributes['protocol'] ?? '',
        name: link.attributes['name'] ?? '',
      }),
    ),
  };
}

/** Latitude comes first where the system is named by its authority. */
function boxOfCorners(box: XmlElement): Box | undefined {
  const [lower, upper] = ['LowerCorner', 'UpperCorner'].map((corner) => textOf(childOf(box, corner)).split(/\s/));
  const isSwapped = /EPSG:[\d.]{0,10}:4326|EPSG\/[\d.]{1,10}\/4326/i.test(box.attributes['crs']?.slice(0, 200) ?? '');
  const [x, y] = isSwapped && box.name === 'BoundingBox' ? [1, 0] : [0, 1];
  return boxOf([lower?.[x], lower?.[y], upper?.[x], upper?.[y]]);
}

function isoRecord(one: XmlElement): Read {
  const name = textOf(childOf(one, 'fileIdentifier')).slice(0, 500);
  const about = childrenOf(childOf(one, 'identificationInfo'))[0];
  const citation = childOf(childOf(about, 'citation'), 'CI_Citation');
  const extent = childrenOf(about, 'extent')
    .map((part) => find(part, 'EX_GeographicBoundingBox', 6))
    .find((part) => part !== undefined);
  const side = (which: string): string => textOf(childOf(extent, which));
  const words = childrenOf(about, 'descriptiveKeywords')
    .slice(0, 50)
    .flatMap((group) => childrenOf(childOf(group, 'MD_Keywords'), 'keyword').map(textOf));
  const transfers = childrenOf(childOf(childOf(one, 'distributionInfo'), 'MD_Distribution'), 'transferOptions');
  return {
    name,
    title: bounded(textOf(childOf(citation, 'title')), 255) || name,
    abstract: bounded(textOf(childOf(about, 'abstract')), 2000),
    keywords: keywordsOf(words),
    bbox:
      extent === undefined
        ? undefined
        : boxOf([
            side('westBoundLongitude'),
            side('southBoundLatitude'),
            side('eastBoundLongitude'),
            side('northBoundLatitude'),
          ]),
    attribution: bounded(textOf(childOf(about, 'credit')), 500),
    links: transfers
      .flatMap((part) => childrenOf(childOf(part, 'MD_DigitalTransferOptions'), 'onLine'))
      .slice(0, 100)
      .map((part): RecordLink => {
        const online = childOf(part, 'CI_OnlineResource');
        const text = (which: string): string => textOf(childOf(online, which));
        return { ...NO_LINK, href: text('linkage'), protocol: text('protocol'), name: text('name') };
      }),
  };
}

function find(within: XmlElement, name: string, depth: number): XmlElement | undefined {
  if (within.name === name) return within;
  if (depth <= 0) return undefined;
  for (const part of childrenOf(within)) {
    const found = find(part, name, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
