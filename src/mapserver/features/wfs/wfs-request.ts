// A request to the Web Feature Service, by address or in XML → one and the same set of parameters. Names are read without regard to
// case. Pure.

import { parseXml, type XmlElement } from '../../../geo/style/xml-tree.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { DIALECTS } from './wfs-dialect.ts';
import { type WfsError, wfsError } from './wfs-error.ts';
import { negotiateVersion, versionOf, type WfsVersion } from './wfs-version.ts';
import { elements, textOf } from './xml-elements.ts';

export type WfsParams = {
  /** By name in lower case. */
  readonly values: ReadonlyMap<string, string>;
  readonly filter: XmlElement | undefined;
  readonly version: WfsVersion;
  /** What is to be done, of a Transaction. */
  readonly actions: readonly XmlElement[];
};

const LIMITS = { bytes: 1_000_000, elements: 20_000, depth: 60 } as const;
/** A transaction carries features. Nobody who has not signed in sends one. */
export const BODY_LIMIT: number = 8 * 1024 * 1024;
const BODY_LIMITS = { bytes: BODY_LIMIT, elements: 300_000, depth: 60 } as const;

export function parseKvp(query: Readonly<Record<string, unknown>>): Result<WfsParams, WfsError> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (typeof last === 'string') values.set(name.toLowerCase(), last);
  }
  // OWSLib calls it `query`; all features would be no answer to somebody who filters.
  const written = values.get('filter') ?? values.get('query');
  const version = operationVersion(values);
  if (!version.ok) return version;
  const rest = { values, version: version.value, actions: [] };
  if (written === undefined || written === '') return ok({ ...rest, filter: undefined });
  // In brackets where there could be several.
  const xml = parseXml(written.replace(/^\s*\((.*)\)\s*$/s, '$1'), LIMITS);
  return xml.ok
    ? ok({ ...rest, filter: xml.value })
    : wfsError('InvalidParameterValue', 'filter', `The filter cannot be read: ${xml.error.message}.`);
}

export function parseXmlRequest(body: string, isVisitor: boolean): Result<WfsParams, WfsError> {
  const xml = parseXml(body, isVisitor ? LIMITS : BODY_LIMITS);
  if (!xml.ok)
    return wfsError('OperationParsingFailed', 'request', `The request cannot be read: ${xml.error.message}.`);
  const root = xml.value;
  const values = new Map<string, string>([['request', root.name]]);
  for (const [name, value] of Object.entries(root.attributes)) values.set(name.toLowerCase(), value);
  const children = elements(root);
  if (!values.has('version')) values.set('version', versionOfNamespace(root));
  // GetCapabilities lists versions, and so do some Sections that nobody here asks for.
  const accepted = children.find(({ name }) => name === 'AcceptVersions');
  if (accepted !== undefined) values.set('acceptversions', elements(accepted).map(textOf).join(','));
  const version = operationVersion(values);
  if (!version.ok) return version;
  if (root.name === 'Transaction') return ok({ values, filter: undefined, version: version.value, actions: children });
  const rest = { values, version: version.value, actions: [] };
  const queries = children.filter(({ name }) => name === 'Query');
  if (queries.length > 1) return wfsError('OptionNotSupported', 'Query', 'One query at a time is answered here.');
  const stored = children.find(({ name }) => name === 'StoredQuery');
  if (stored !== undefined) {
    values.set('storedquery_id', stored.attributes['id'] ?? '');
    for (const parameter of elements(stored))
      values.set((parameter.attributes['name'] ?? '').toLowerCase(), textOf(parameter));
  }
  const types = children.filter(({ name }) => name === 'TypeName').map(textOf);
  if (types.length > 0) values.set('typenames', types.join(','));
  const [query] = queries;
  if (query === undefined) return ok({ ...rest, filter: undefined });
  for (const [name, value] of Object.entries(query.attributes)) values.set(name.toLowerCase(), value);
  const parts = elements(query);
  const names = parts.filter(({ name }) => name === 'PropertyName').map(textOf);
  if (names.length > 0) values.set('propertyname', names.join(','));
  const sorting = parts.find(({ name }) => name === 'SortBy');
  if (sorting !== undefined) values.set('sortby', elements(sorting).map(sortKey).join(','));
  return ok({ ...rest, filter: parts.find(({ name }) => name === 'Filter') });
}

function operationVersion(values: ReadonlyMap<string, string>): Result<WfsVersion, WfsError> {
  return values.get('request')?.toLowerCase() === 'getcapabilities' ? negotiateVersion(values) : versionOf(values);
}

/** Nothing said: the namespace tells it, of the two older ones the newer. */
function versionOfNamespace({ attributes }: XmlElement): WfsVersion {
  return Object.values(attributes).includes(DIALECTS['1.1.0'].wfs) ? '1.1.0' : '2.0.0';
}

function sortKey(property: XmlElement): string {
  const parts = elements(property);
  const of = (...names: string[]): string => {
    const found = parts.find(({ name }) => names.includes(name));
    return found === undefined ? '' : textOf(found);
  };
  return `${of('ValueReference', 'PropertyName')} ${of('SortOrder')}`.trim();
}
