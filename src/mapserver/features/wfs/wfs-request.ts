// A request to the Web Feature Service, by address or in XML → one and the same set of parameters. Names are read without regard to
// case. Pure.

import { parseXml, type XmlElement } from '../../../geo/style/xml-tree.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { elements, textOf } from './fes-filter.ts';

export type WfsParams = {
  /** By name in lower case. */
  readonly values: ReadonlyMap<string, string>;
  readonly filter: XmlElement | undefined;
};

export type WfsError = {
  readonly kind: 'wfs';
  readonly code:
    | 'InvalidParameterValue'
    | 'MissingParameterValue'
    | 'OperationNotSupported'
    | 'OperationParsingFailed'
    | 'OptionNotSupported'
    | 'NotFound';
  readonly locator: string;
  readonly said: string;
};

const LIMITS = { bytes: 1_000_000, elements: 20_000, depth: 60 } as const;

export function wfsError(code: WfsError['code'], locator: string, said: string): Result<never, WfsError> {
  return err({ kind: 'wfs', code, locator, said });
}

export function parseKvp(query: Readonly<Record<string, unknown>>): Result<WfsParams, WfsError> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (typeof last === 'string') values.set(name.toLowerCase(), last);
  }
  // OWSLib calls it `query`; all features would be no answer to somebody who filters.
  const written = values.get('filter') ?? values.get('query');
  if (written === undefined || written === '') return ok({ values, filter: undefined });
  // In brackets where there could be several.
  const xml = parseXml(written.replace(/^\s*\((.*)\)\s*$/s, '$1'), LIMITS);
  return xml.ok
    ? ok({ values, filter: xml.value })
    : wfsError('InvalidParameterValue', 'filter', `The filter cannot be read: ${xml.error.message}.`);
}

export function parseXmlRequest(body: string): Result<WfsParams, WfsError> {
  const xml = parseXml(body, LIMITS);
  if (!xml.ok)
    return wfsError('OperationParsingFailed', 'request', `The request cannot be read: ${xml.error.message}.`);
  const root = xml.value;
  const values = new Map<string, string>([['request', root.name]]);
  for (const [name, value] of Object.entries(root.attributes)) values.set(name.toLowerCase(), value);
  const children = elements(root);
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
  if (query === undefined) return ok({ values, filter: undefined });
  for (const [name, value] of Object.entries(query.attributes)) values.set(name.toLowerCase(), value);
  const parts = elements(query);
  const names = parts.filter(({ name }) => name === 'PropertyName').map(textOf);
  if (names.length > 0) values.set('propertyname', names.join(','));
  const sorting = parts.find(({ name }) => name === 'SortBy');
  if (sorting !== undefined) values.set('sortby', elements(sorting).map(sortKey).join(','));
  return ok({ values, filter: parts.find(({ name }) => name === 'Filter') });
}

function sortKey(property: XmlElement): string {
  const parts = elements(property);
  const of = (...names: string[]): string => {
    const found = parts.find(({ name }) => names.includes(name));
    return found === undefined ? '' : textOf(found);
  };
  return `${of('ValueReference', 'PropertyName')} ${of('SortOrder')}`.trim();
}
