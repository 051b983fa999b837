// A request to the Catalogue Service for the Web 2.0.2, by address or in XML → what is asked for. Bounded; pure.

import type { Filter } from '../../geo/cql/cql.ts';
import { parseCqlText } from '../../geo/cql/cql-text.ts';
import { childOf, childrenOf, parseXml, textOf, type XmlElement } from '../../geo/style/xml-tree.ts';
import { queryPairs } from '../../http/query-pairs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { DUBLIN_CORE_ELEMENTS, type DublinCoreName, type ElementSet } from '../metadata/write-dublin-core.ts';
import { CSW_SCHEMAS, schemaOfType, valuesOfParameter } from './csw-parameters.ts';
import { parseOgcFilter } from './ogc-filter.ts';
import { MAX_OFFSET, MAX_RECORDS } from './record-query.ts';

export type CswFault = {
  readonly code: string;
  readonly locator: string;
  readonly text: string;
  readonly status?: number;
};

export type OutputSchema = keyof typeof CSW_SCHEMAS;

export type CswRequest =
  | { readonly kind: 'capabilities' }
  | { readonly kind: 'describe'; readonly schemas: readonly OutputSchema[] }
  | { readonly kind: 'domain'; readonly of: 'property' | 'parameter'; readonly names: readonly string[] }
  | { readonly kind: 'by-id'; readonly ids: readonly string[]; readonly set: ElementSet; readonly schema: OutputSchema }
  | {
      readonly kind: 'records';
      readonly result: 'hits' | 'results' | 'validate';
      /** Undefined: as `elements` names them. */
      readonly set: ElementSet | undefined;
      readonly elements: readonly DublinCoreName[];
      readonly schema: OutputSchema;
      readonly filter: Filter | undefined;
      readonly sort: readonly { readonly name: string; readonly isDescending: boolean }[];
      /** From 1. */
      readonly start: number;
      readonly count: number;
    };

const LIMITS = { bytes: 500_000, elements: 10_000, depth: 60 } as const;
const MAX_IDS = 100;
const DEFAULT_COUNT = 10;

type Values = ReadonlyMap<string, string>;

function cswFault(code: string, locator: string, text: string): Result<never, CswFault> {
  return err({ code, locator, text });
}

export function parseCswKvp(query: string): Result<CswRequest, CswFault> {
  const values = new Map<string, string>();
  for (const [name, value] of queryPairs(query)) values.set(name.toLowerCase(), value);
  const constraint = values.get('constraint') ?? '';
  const language = values.get('constraintlanguage')?.toUpperCase() ?? 'CQL_TEXT';
  if (language !== 'CQL_TEXT' && language !== 'FILTER')
    return cswFault('InvalidParameterValue', 'constraintLanguage', 'constraintLanguage is CQL_TEXT or FILTER.');
  if (constraint.trim() === '') return toRequest(values, ok(undefined));
  return toRequest(values, language === 'FILTER' ? filterText(constraint) : cqlFilter(constraint));
}

function filterText(text: string): Result<Filter, CswFault> {
  const xml = parseXml(text, LIMITS);
  if (!xml.ok)
    return cswFault('InvalidParameterValue', 'constraint', `The filter cannot be read: ${xml.error.message}.`);
  return fromFilter(xml.value);
}

function fromFilter(element: XmlElement): Result<Filter, CswFault> {
  const filter = parseOgcFilter(element);
  return filter.ok ? filter : cswFault('InvalidParameterValue', 'constraint', filter.error.said);
}

/** `BBOX(ows:BoundingBox, 1, 2, 3, 4)`, which the newer language writes in another way. */
const OLD_BOX = /\bBBOX\s{0,9}\(([^()]{1,300})\)/gi;
const PROPERTY = /^[A-Za-z_][\w:.]{0,60}$/;
const NUMBERS = /^[-+\d.eE,\s]+$/;

function newerBox(old: string, inside: string): string {
  const comma = inside.indexOf(',');
  const [property, numbers] = [inside.slice(0, comma).trim(), inside.slice(comma + 1)];
  return comma !== -1 && PROPERTY.test(property) && NUMBERS.test(numbers)
    ? `S_INTERSECTS(${property}, BBOX(${numbers}))`
    : old;
}

function cqlFilter(text: string): Result<Filter, CswFault> {
  const newer = text.slice(0, 20_000).replace(OLD_BOX, newerBox);
  const filter = parseCqlText(text.length > 20_000 ? text : newer);
  return filter.ok
    ? filter
    : cswFault('InvalidParameterValue', 'constraint', `The constraint cannot be read: ${filter.error.said}.`);
}

export function parseCswXml(body: string): Result<CswRequest, CswFault> {
  const xml = parseXml(body, LIMITS);
  if (!xml.ok) return cswFault('NoApplicableCode', 'request', `The request cannot be read: ${xml.error.message}.`);
  const root = xml.value;
  const values = new Map<string, string>([['request', root.name]]);
  for (const [name, value] of Object.entries(root.attributes)) values.set(name.toLowerCase(), value);
  const ids = childrenOf(root, 'Id').map(textOf);
  if (ids.length > 0) values.set('id', ids.join(','));
  for (const name of ['PropertyName', 'ParameterName']) {
    const asked = childOf(root, name);
    if (asked !== undefined) values.set(name.toLowerCase(), textOf(asked));
  }
  const described = childrenOf(root, 'TypeName').map(textOf);
  if (described.length > 0) values.set('typename', described.join(','));
  const query = childOf(root, 'Query');
  for (const [name, value] of Object.entries(query?.attributes ?? {})) values.set(name.toLowerCase(), value);
  const set = childOf(query ?? root, 'ElementSetName');
  if (set !== undefined) values.set('elementsetname', textOf(set));
  const elements = childrenOf(query, 'ElementName').map(textOf);
  if (elements.length > 0) values.set('elementname', elements.join(','));
  const sorted = childrenOf(childOf(query, 'SortBy'), 'SortProperty').map(
    (one) =>
      `${textOf(childOf(one, 'PropertyName'))}:${textOf(childOf(one, 'SortOrder')).toUpperCase().startsWith('D') ? 'D' : 'A'}`,
  );
  if (sorted.length > 0) values.set('sortby', sorted.join(','));
  const constraint = childOf(query, 'Constraint');
  const [cql, filter] = [childOf(constraint, 'CqlText'), childOf(constraint, 'Filter')];
  if (filter !== undefined) return toRequest(values, fromFilter(filter));
  return toRequest(values, cql === undefined ? ok(undefined) : cqlFilter(textOf(cql)));
}

function toRequest(values: Values, filter: Result<Filter | undefined, CswFault>): Result<CswRequest, CswFault> {
  const service = values.get('service');
  if (service !== undefined && service.toUpperCase() !== 'CSW')
    return cswFault('InvalidParameterValue', 'service', 'This is a CSW.');
  const version = values.get('version');
  const operation = values.get('request')?.toLowerCase();
  if (operation !== 'getcapabilities' && version !== undefined && version !== '' && version !== '2.0.2')
    return cswFault('VersionNegotiationFailed', 'version', 'The version spoken here is 2.0.2.');
  switch (operation) {
    case undefined:
      return cswFault('MissingParameterValue', 'request', 'What is asked for? The parameter request is missing.');
    case 'getcapabilities': {
      const accepted = values.get('acceptversions') ?? '2.0.2';
      if (accepted !== '' && !accepted.split(',').some((one) => one.trim() === '2.0.2'))
        return cswFault('VersionNegotiationFailed', 'acceptVersions', 'The version spoken here is 2.0.2.');
      return ok({ kind: 'capabilities' });
    }
    case 'describerecord':
      return describe(values);
    case 'getdomain': {
      const of = values.has('propertyname') ? 'property' : 'parameter';
      const names = listOf(values.get(`${of}name`));
      if (names.length === 0)
        return cswFault('MissingParameterValue', 'propertyName', 'Of what? The parameter propertyName is missing.');
      return ok({ kind: 'domain', of, names: names.slice(0, 20) });
    }
    case 'getrecordbyid':
      return byId(values);
    case 'getrecords':
      return records(values, filter);
    default:
      return cswFault('OperationNotSupported', 'request', `${operation.slice(0, 50)} is not known here.`);
  }
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .slice(0, 20_000)
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Undefined: not named. Lists of XML have blanks between their parts. */
function typesOf(
  values: Values,
  parameter: 'typeName' | 'typeNames',
): Result<readonly OutputSchema[] | undefined, CswFault> {
  const names = listOf(values.get(parameter.toLowerCase())?.slice(0, 20_000).replace(/\s/g, ','));
  if (names.length === 0) return ok(undefined);
  const schemas = new Set<OutputSchema>();
  for (const name of names) {
    const schema = schemaOfType(name);
    if (schema === undefined)
      return cswFault(
        'InvalidParameterValue',
        parameter,
        `Records are csw:Record or gmd:MD_Metadata, not ${name.slice(0, 100)}.`,
      );
    schemas.add(schema);
  }
  return ok([...schemas]);
}

/** Answers are XML. */
function formatFault(values: Values): Result<never, CswFault> | undefined {
  const [format = ''] = (values.get('outputformat') ?? '').toLowerCase().split(';', 1);
  if (['', 'application/xml', 'text/xml'].includes(format.trim())) return undefined;
  return cswFault('InvalidParameterValue', 'outputFormat', 'outputFormat is application/xml.');
}

function describe(values: Values): Result<CswRequest, CswFault> {
  const schemas = typesOf(values, 'typeName');
  if (!schemas.ok) return schemas;
  const language = values.get('schemalanguage') ?? '';
  if (language !== '' && valuesOfParameter('DescribeRecord.schemaLanguage')?.includes(language) !== true)
    return cswFault('InvalidParameterValue', 'schemaLanguage', 'schemaLanguage is http://www.w3.org/XML/Schema.');
  return formatFault(values) ?? ok({ kind: 'describe', schemas: schemas.value ?? ['csw', 'gmd'] });
}

function setOf(values: Values, usual: ElementSet): Result<ElementSet, CswFault> {
  const asked = (values.get('elementsetname') || usual).toLowerCase();
  if (asked === 'brief' || asked === 'summary' || asked === 'full') return ok(asked);
  return cswFault('InvalidParameterValue', 'elementSetName', 'elementSetName is brief, summary or full.');
}

/** By their names, with a prefix or without one. */
function elementsOf(values: Values, schema: OutputSchema): Result<readonly DublinCoreName[], CswFault> {
  const names = listOf(values.get('elementname'));
  if (names.length === 0) return ok([]);
  const fault = (text: string): Result<never, CswFault> => cswFault('InvalidParameterValue', 'elementName', text);
  if (values.has('elementsetname')) return fault('elementName and elementSetName exclude each other.');
  if (schema !== 'csw') return fault('elementName chooses of the elements of csw:Record.');
  const elements = new Set<DublinCoreName>();
  for (const name of names) {
    const local = localName(name);
    const element = DUBLIN_CORE_ELEMENTS.find((one) => localName(one) === local);
    if (element === undefined) return fault(`Elements are ${DUBLIN_CORE_ELEMENTS.join(', ')}.`);
    elements.add(element);
  }
  return ok([...elements]);
}

/** `dc:title`, `/csw:Record/dc:title` → `title` */
function localName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('/')) + 1).toLowerCase();
}

function schemaOf(values: Values): Result<OutputSchema, CswFault> {
  const asked = values.get('outputschema') ?? '';
  if (asked === '' || asked === CSW_SCHEMAS.csw || asked === 'csw:Record') return ok('csw');
  if (asked === CSW_SCHEMAS.gmd) return ok('gmd');
  return cswFault(
    'InvalidParameterValue',
    'outputSchema',
    'outputSchema is http://www.opengis.net/cat/csw/2.0.2 or http://www.isotc211.org/2005/gmd.',
  );
}

function byId(values: Values): Result<CswRequest, CswFault> {
  const ids = listOf(values.get('id')).map((id) => id.replace(/^urn:uuid:/, ''));
  if (ids.length === 0) return cswFault('MissingParameterValue', 'id', 'Which record? The parameter id is missing.');
  if (ids.length > MAX_IDS)
    return cswFault('InvalidParameterValue', 'id', `${MAX_IDS} records at a time: ask in several requests.`);
  const set = setOf(values, 'summary');
  if (!set.ok) return set;
  const format = formatFault(values);
  if (format !== undefined) return format;
  const schema = schemaOf(values);
  return schema.ok ? ok({ kind: 'by-id', ids, set: set.value, schema: schema.value }) : schema;
}

/** What can be sorted by, and the field of an item that it is. */
const SORTED: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['modified', 'last_updated'],
  ['updated', 'last_updated'],
  ['created', 'created'],
  ['date', 'date'],
  ['identifier', 'uuid'],
  ['type', 'resource_type'],
]);

/** `dc:title:D`, `dc:title DESC` → the name and the letter. */
function sortTerm(term: string): readonly string[] {
  const end = Math.max(term.lastIndexOf(':'), term.lastIndexOf(' '));
  const last = term.slice(end + 1).toUpperCase();
  return /^(?:A|D|ASC|DESC)$/.test(last) ? [term.slice(0, end).trim(), last.slice(0, 1)] : [term];
}

function records(values: Values, filter: Result<Filter | undefined, CswFault>): Result<CswRequest, CswFault> {
  const types = typesOf(values, 'typeNames');
  if (!types.ok) return types;
  const format = formatFault(values);
  if (format !== undefined) return format;
  if (!filter.ok) return filter;
  const set = setOf(values, 'summary');
  if (!set.ok) return set;
  const schema = schemaOf(values);
  if (!schema.ok) return schema;
  const elements = elementsOf(values, schema.value);
  if (!elements.ok) return elements;
  const result = (values.get('resulttype') || 'hits').toLowerCase();
  if (result !== 'hits' && result !== 'results' && result !== 'validate')
    return cswFault('InvalidParameterValue', 'resultType', 'resultType is hits, results or validate.');
  const [start, count] = [values.get('startposition') || '1', values.get('maxrecords') || String(DEFAULT_COUNT)];
  if (!/^[1-9]\d{0,8}$/.test(start) || Number(start) > MAX_OFFSET)
    return cswFault('InvalidParameterValue', 'startPosition', 'startPosition is a whole number above 0.');
  if (!/^\d{1,9}$/.test(count)) return cswFault('InvalidParameterValue', 'maxRecords', 'maxRecords is a whole number.');
  const sort: { name: string; isDescending: boolean }[] = [];
  for (const term of listOf(values.get('sortby')).slice(0, 8)) {
    const [name = '', direction = 'A'] = sortTerm(term);
    const plain = localName(name);
    const field = SORTED.get(plain);
    if (field === undefined)
      return cswFault('InvalidParameterValue', 'sortBy', `Records are sorted by ${[...SORTED.keys()].join(', ')}.`);
    sort.push({ name: field, isDescending: direction === 'D' });
  }
  return ok({
    kind: 'records',
    result,
    set: elements.value.length === 0 ? set.value : undefined,
    elements: elements.value,
    schema: schema.value,
    filter: filter.value,
    sort,
    start: Number(start),
    count: Math.min(Number(count), MAX_RECORDS),
  });
}
