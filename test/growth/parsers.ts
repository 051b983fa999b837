// Every parser that sees text of strangers. A new parser gets a line here: its name, and what it does with a text.
// `within`: what has to stand around a text (at `…`) so that the parser goes on to read it.

import { parseClaimPath } from '../../src/auth/claim-path.ts';
import { decodeJwt } from '../../src/auth/decode-jwt.ts';
import { decodeAnyBase64 } from '../../src/auth/strict-base64.ts';
import { parseCqlJsonText } from '../../src/geo/cql/cql-json.ts';
import { parseCqlText, parseExpressionText } from '../../src/geo/cql/cql-text.ts';
import { parseCrs } from '../../src/geo/crs.ts';
import { parseGeometry } from '../../src/geo/geojson.ts';
import { cleanHtml } from '../../src/geo/presentation/clean-html.ts';
import { parseColor } from '../../src/geo/style/color.ts';
import { readSldDocument } from '../../src/geo/style/read-sld.ts';
import { sldVersion } from '../../src/geo/style/sld-version.ts';
import { parseStyle } from '../../src/geo/style/style-layer.ts';
import { parseXml } from '../../src/geo/style/xml-tree.ts';
import { acceptedCoding } from '../../src/http/compress.ts';
import { isAmong } from '../../src/http/etag.ts';
import { readPlainRequest } from '../../src/http/plain/read-plain-request.ts';
import { parseDecimal } from '../../src/kernel/decimal.ts';
import { parseCheck } from '../../src/mapserver/columns/check-expression.ts';
import { parseWcsRequest, readWcsParams } from '../../src/mapserver/coverages/wcs-request.ts';
import { parseWcsXml } from '../../src/mapserver/coverages/wcs-xml-request.ts';
import { parseBbox, parseWhen } from '../../src/mapserver/features/items-request.ts';
import { parseFes } from '../../src/mapserver/features/wfs/fes-filter.ts';
import { parseKvp, parseXmlRequest } from '../../src/mapserver/features/wfs/wfs-request.ts';
import { makeDateOrders, readCell } from '../../src/mapserver/import/reader/read-cell.ts';
import { parseWmsRequest, readParameters } from '../../src/mapserver/wms/wms-request.ts';
import { parseConninfo } from '../../src/pg/postgres/conninfo.ts';
import { parseAuthorization } from '../../src/portal/accounts/authorization-header.ts';
import { readCookie } from '../../src/portal/accounts/cookies.ts';
import { wordsOf } from '../../src/portal/api/crs-paths.ts';
import { parseCswKvp, parseCswXml } from '../../src/portal/discovery/csw-request.ts';
import { parseDatetime, toRecordQuery } from '../../src/portal/discovery/list-params.ts';
import { acceptsJson } from '../../src/portal/errors/accepts-json.ts';
import { formFields, parseJson } from '../../src/portal/errors/body-parsers.ts';
import { parseMoment } from '../../src/portal/fields/moment.ts';
import { map } from '../../src/portal/kinds/map/fields.ts';
import { parseValue } from '../../src/portal/operations/write/parse-value.ts';
import { parseCatalogueQuery } from '../../src/portal/query/catalogue-query.ts';
import { parseExtent } from '../../src/portal/query/extent.ts';
import { parseFilterValue } from '../../src/portal/query/filter-value.ts';
import { arcgisPlace } from '../../src/portal/remote-services/describe/arcgis-service.ts';
import { chooseLink, NO_LINK } from '../../src/portal/remote-services/describe/record-links.ts';
import { parseWfs } from '../../src/portal/remote-services/describe/wfs-capabilities.ts';
import { parseWms } from '../../src/portal/remote-services/describe/wms-capabilities.ts';
import { parseWmts } from '../../src/portal/remote-services/describe/wmts-capabilities.ts';
import { gmlFeatures } from '../../src/portal/remote-services/gml-features.ts';
import { factsOf } from '../../src/portal/remote-services/remote-content.ts';
import { parseDescription } from '../../src/portal/uploads/publish/xml-metadata.ts';
import { parseTableChoices } from '../../src/portal/uploads/table-choices.ts';
import { parseFileSyntax } from '../../src/rest/config/file-syntax.ts';
import { interpolate } from '../../src/rest/config/interpolate.ts';
import { parseBatch } from '../../src/rest/request/batch.ts';
import { lookUp, nothingWanted, want } from '../../src/rest/request/batch-answers.ts';
import { csvToJson } from '../../src/rest/request/csv-to-json.ts';
import { parseFormFields } from '../../src/rest/request/form-decoding.ts';
import { scanJson } from '../../src/rest/request/json-scan.ts';
import { linesToJson } from '../../src/rest/request/lines-to-json.ts';
import { parseAccept, parseContentType } from '../../src/rest/request/media-type.ts';
import { parseRequest } from '../../src/rest/request/parse-request.ts';
import { parseJsonPatch, parseMergePatch } from '../../src/rest/request/patch-body.ts';
import { parsePreferences } from '../../src/rest/request/preferences.ts';
import { defaultValue } from '../../src/rest/response/openapi/default-value.ts';
import { readComment } from '../../src/rest/schema-cache/directives.ts';
import { readLimits } from '../../src/rest/schema-cache/limits.ts';
import { isTenantSchema } from '../../src/rest/schema-cache/tenant-schemas.ts';
import { definitionFault } from '../../src/server/backup/definition-statement.ts';
import { regexComplaint } from '../../src/sql/regex-limits.ts';

export type Parser = {
  readonly name: string;
  readonly parse: (text: string) => unknown;
  readonly within: readonly string[];
};

const parser = (name: string, parse: (text: string) => unknown, ...within: string[]): Parser => ({
  name,
  parse,
  within: ['…', 'a…a', ...within],
});

const rest = (method: string, headers: Record<string, string>, query: string, body = ''): unknown =>
  parseRequest(
    { method, path: '/items', query, headers, body: Buffer.from(body) },
    { dbSchemas: ['api'], dbTxEnd: 'commit', dbRootSpec: undefined, openapiMode: 'disabled' },
    new Set(),
  );

const catalogue = (query: string): unknown =>
  parseCatalogueQuery(query, { recordType: map, searched: ['title'], hasExtent: true, hasFavourites: true, full: [] });

const getMap = (name: string, text: string): unknown =>
  parseWmsRequest(
    new Map([
      ['REQUEST', 'GetMap'],
      ['LAYERS', 'a'],
      ['STYLES', ''],
      ['CRS', 'EPSG:4326'],
      ['BBOX', '0,0,1,1'],
      ['WIDTH', '1'],
      ['HEIGHT', '1'],
      ['FORMAT', 'image/png'],
      [name, text],
    ]),
  );

const filter = (text: string): unknown => {
  const xml = parseXml(text);
  return xml.ok ? parseFes(xml.value, 'geom') : xml;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** One of each kind. */
const FIELDS = [...new Map(map.fields.map((field) => [field.type.kind, field])).values()];

const TYPES = ['bigint', 'double precision', 'boolean', 'timestamptz', 'uuid'] as const;

export const PARSERS: readonly Parser[] = [
  parser('a cell of a table', (text) => {
    const orders = makeDateOrders();
    orders.look(text);
    const reading = { comma: true, dates: 'dmy' } as const;
    return (['integer', 'number', 'boolean', 'date', 'time'] as const).map((type) => readCell(text, type, reading));
  }),
  parser('choices of a table', parseTableChoices, '{"columns": {"a": …}}', '{"columns": …}'),
  parser('decimal numerals', parseDecimal, '1…', '1.…', '1e…', '1…x'),
  parser(
    'CHECK constraint',
    parseCheck,
    '((a >= …))',
    "a = ANY (ARRAY['…'::text])",
    '((a >= 0) AND …',
    '(…',
    '"…" > 1',
  ),
  parser('words of a coordinate system', wordsOf, 'epsg:…'),
  parser('HTML of people', cleanHtml, '<…', '<a …>', '<a href="…', '<svg>…', '<img alt="…">', '<!…'),
  // REST
  parser('REST query', (text) => rest('GET', {}, text), 'a=…', '…=eq.1', '…&a=eq.1'),
  parser(
    'REST select',
    (text) => rest('GET', {}, `select=${text}`),
    'a(…)',
    'a->…',
    'a:…',
    'a::…',
    '…)',
    'a,…',
    'a.trunc(…)',
    'a.nearest(…)',
    'count().filter(…)',
    'rank().over(…)',
    'rank().over(order(…))',
  ),
  parser(
    'REST order',
    (text) => rest('GET', {}, `order=${text}`),
    'a.…',
    'a->…',
    '…)',
    'a.nearest(…',
    'a.ts_rank("…")',
    'count().filter(a.eq.…)',
  ),
  parser(
    'REST having',
    (text) => rest('GET', {}, `having=${text}`),
    '(…)',
    '(count().gt.…)',
    'or(…',
    '(a.sum().filter(…).gt.1)',
  ),
  parser('REST distinct', (text) => rest('GET', {}, `distinct=${text}`), 'a,…', 'a.trunc(…)'),
  parser('REST cursor', (text) => rest('GET', {}, `after=${text}`)),
  parser('REST query by a body', (text) => rest('QUERY', {}, '', text), '{"a":"…"}', '{"a":[…]}'),
  parser(
    'REST filters',
    (text) => rest('GET', {}, `a=${text}`),
    'eq.…',
    'in.(…)',
    'in.(…',
    'not.…',
    'like(any).{…}',
    'eq(col).…',
    'st_within.…',
    'bbox.…',
    'st_dwithin(…).a',
  ),
  parser('REST logic', (text) => rest('GET', {}, `and=${text}`), '(…)', '(a.eq.…)', '(a.in.(…))', '(…', '(a->…)'),
  parser('REST columns', (text) => rest('POST', {}, `columns=${text}`, '{}'), '"…"', 'a,…'),
  parser('REST window', (text) => rest('GET', { range: text }, `limit=${text}&offset=${text}`), '0-…', '1…'),
  parser('Prefer', (text) => parsePreferences([text], { txAllowed: true, timezones: new Set() }), 'timezone=…'),
  parser('Accept', parseAccept, 'a/b;…', 'a/b;q=…', 'application/vnd.pgrst.plan+json;for="…"'),
  parser('Content-Type', parseContentType, 'a/b;…', 'application/vnd.pgrst.object+json;…'),
  parser('JSON bodies', (text) => scanJson(Buffer.from(text)), '"…"', '[…]', '{"…":1}', '[{"a":1},…]', '[{"a":…}]'),
  parser(
    'batches',
    (text) => parseBatch(Buffer.from(text), { maxRequests: 1000, standIn: (place, index) => `r${place}n${index}` }),
    '[{"path":"/a?…"}]',
    '[{"path":"/a","body":…}]',
    '[{"path":"/a"},{"path":"/b","body":["$1.a",…]}]',
    '[{"path":"/a"},…]',
  ),
  parser(
    'answers that a batch refers to',
    (text) => {
      const wanted = nothingWanted();
      for (const key of ['a', '0', 'a.0.a']) want(wanted, { of: '1', path: key.split('.'), text: key });
      const { kind } = scanJson(Buffer.from(text));
      return kind === 'invalid' || kind === 'too-deep' ? text : lookUp(wanted, Buffer.from(text));
    },
    '[…]',
    '{"a":…}',
    '{"a":[{"a":…}]}',
  ),
  parser(
    'rows inside rows',
    (text) => rest('POST', {}, 'select=a(a(a(*)))', text),
    '{"a":…}',
    '{"a":[…]}',
    '{"a":[{"a":…}]}',
    '[{"a":[{"a":[]}]},…]',
  ),
  parser('merge patches', (text) => parseMergePatch(Buffer.from(text)), '{"a":…}', '[{"a":1},…]', '{"…":1}', '[…]'),
  parser(
    'JSON patches',
    (text) => parseJsonPatch(Buffer.from(text)),
    '[{"op":"add","path":"/a/…","value":1}]',
    '[{"op":"add","path":"/a","value":…}]',
    '[…]',
  ),
  parser(
    'directives in comments',
    (text) => readLimits(readComment(text), 'a'),
    '@survest limit …',
    '@survest limit filter=…',
    '@survest …',
    'a\n…',
  ),
  parser('schemas of tenants', (text) => isTenantSchema(text, 'a*a*b*c'), 'a…c', 'aab…'),
  parser('newline-delimited bodies', (text) => linesToJson(Buffer.from(text)), '{"a":1}\n…', '{"a":"…"}\n'),
  parser('CSV bodies', (text) => csvToJson(Buffer.from(text)), 'a\n…', '"…"\n1', 'a,b\n…,1'),
  parser('HTML forms', parseFormFields, 'a=…', '…=a'),
  parser(
    'plain HTTP requests',
    (text) => readPlainRequest(Buffer.from(text)),
    'GET /… HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: …\r\n\r\n',
  ),
  parser('Accept-Encoding', acceptedCoding, 'gzip;…', 'gzip;q=…'),
  parser('If-None-Match', (text) => isAmong('"a"', text), 'W/…'),
  parser(
    'default values',
    (text) => [defaultValue(text, 'text'), defaultValue(text, 'text[]')],
    "'…'",
    "'{…}'::text[]",
    'ARRAY[…]',
    "'a'::…",
    `'{"…"}'`,
  ),
  // backups
  parser(
    'statements of a backup',
    (text) => definitionFault(text, { name: 'a', postgisSchema: 'public' }),
    'create table layers.a (…)',
    'create table layers.a (b text default lower(…))',
    "comment on table layers.a is '…'",
    'alter table layers.a add constraint b CHECK ((…))',
    'create policy a on layers.a using (…)',
  ),
  // settings
  parser(
    'connection strings',
    parseConninfo,
    'host=…',
    "host='…'",
    'postgres://…',
    'postgres://a:…@b/c',
    'postgres:?…',
  ),
  parser('configuration files', parseFileSyntax, 'a = …', 'a = "…"', 'a {…}', '# …', '[…', '[a]\n…'),
  parser('interpolation', (text) => interpolate(text, () => undefined), '$(…)', '$…'),
  parser('claim paths', parseClaimPath, '.…', '."…"', '[…]', '.a[?(@ == "…")]'),
  parser('tokens', decodeJwt, '….a.b', 'a.….b'),
  parser('base64', decodeAnyBase64, '…='),
  // maps
  parser(
    'coordinate systems',
    parseCrs,
    'EPSG:…',
    'http://www.opengis.net/def/crs/EPSG/…/1',
    'urn:ogc:def:crs:EPSG:…:1',
  ),
  parser(
    'link of a record',
    (text) => chooseLink([{ ...NO_LINK, href: `http://x/${text}`, protocol: text, title: text }], 'http://x/'),
    '…/collections/…',
    '…wms…',
  ),
  parser(
    'GML of a WFS',
    (text) => gmlFeatures(Buffer.from(text), 'EPSG:4326'),
    '<FeatureCollection><member><a><b>…</b></a></member></FeatureCollection>',
    '<FeatureCollection><member><a><g><LineString><posList>…</posList></LineString></g></a></member></FeatureCollection>',
  ),
  parser('WMS', (text) => parseWmsRequest(readParameters(text)), 'REQUEST=GetMap&…', 'REQUEST=GetMap&LAYERS=…'),
  parser('WMS boxes', (text) => getMap('BBOX', text), '1…,0,0,0', '0,0,0,1…x'),
  parser('WMS styles', (text) => getMap('STYLES', text)),
  parser('WMS coordinate systems', (text) => getMap('CRS', text), 'EPSG:…', 'URN:OGC:DEF:CRS:EPSG:…:1'),
  parser('WMS time', (text) => getMap('TIME', text), '…/2020', '2020-01-01T00:00:00.…'),
  parser('WMS colours', (text) => getMap('BGCOLOR', text), '0x…'),
  parser('bbox', parseBbox, '…,0,0,0', '1…x,0,0,0'),
  parser('datetime', parseWhen, '…/..', '2020-01-01T00:00:00.…Z', '2020-01-01/…'),
  parser('moments', parseMoment, '2020-01-01T00:00:00.…', '2020-01-01 …'),
  parser('CQL2 expression', parseExpressionText, 'upper(…)', "if(a = '…', b, c)", 'concat(…, …)', '(…) + 1'),
  parser('CQL2 text', parseCqlText, 'a = …', "a = '…'", 'a in (…)', 'S_INTERSECTS(a, …)', 'not …', '"…" = 1'),
  parser('CQL2 JSON', parseCqlJsonText, '{"op":"and","args":[…]}', '{"op":"=","args":[{"property":"a"},"…"]}'),
  parser('GeoJSON', (text) => parseGeometry(parsed(text)), '{"type":"LineString","coordinates":[…]}'),
  parser(
    'capabilities of other services',
    (text) => {
      const xml = parseXml(text);
      return xml.ok
        ? (parseWms(xml.value, 'http://x/') ?? parseWmts(xml.value, 'http://x/') ?? parseWfs(xml.value, 'http://x/'))
        : xml;
    },
    '<WMS_Capabilities><Capability><Layer><Name>…</Name></Layer></Capability></WMS_Capabilities>',
    '<Capabilities><Contents><Layer/><TileMatrixSet><SupportedCRS>…</SupportedCRS></TileMatrixSet></Contents></Capabilities>',
    '<Capabilities><Contents><Layer><Identifier>a</Identifier><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>w</TileMatrixSet></TileMatrixSetLink><ResourceURL resourceType="tile" format="image/png" template="…"/></Layer><TileMatrixSet><Identifier>w</Identifier><SupportedCRS>EPSG:3857</SupportedCRS></TileMatrixSet></Contents></Capabilities>',
  ),
  parser('an address of ArcGIS', (text) => arcgisPlace(`http://x/${encodeURIComponent(text)}/MapServer/1`)),
  parser(
    'what other services tell of a place',
    (text) => factsOf({ status: 200, type: 'text/xml', body: Buffer.from(text), address: new URL('http://x/') }),
    '<a_feature><b>…</b></a_feature>',
    '{"features":[{"properties":{"a":"…"}}]}',
  ),
  parser('XML', parseXml, '<a>…</a>', '<a …/>', '<a b="…"/>', '<a><!--…--></a>', '<!DOCTYPE …>', '<?xml …?><a/>'),
  parser(
    'SLD',
    readSldDocument,
    '<StyledLayerDescriptor …>',
    '<StyledLayerDescriptor><NamedLayer>…</NamedLayer></StyledLayerDescriptor>',
  ),
  parser('versions of SLD', sldVersion, '<StyledLayerDescriptor …', '<StyledLayerDescriptor version…'),
  parser('MapLibre styles', (text) => parseStyle(parsed(text)), '[{"id":"a","type":"line","filter":[…]}]'),
  parser('colours', parseColor, '#…', 'rgb(…)', 'rgba(1,1,1,…)', 'hsl(…)'),
  parser(
    'CSW by address',
    (text) => parseCswKvp(text),
    'request=GetRecords&constraint=…',
    'request=GetRecords&constraintLanguage=FILTER&constraint=<Filter>…</Filter>',
    'request=GetRecords&sortBy=…',
    'request=GetRecordById&id=…',
  ),
  parser(
    'CSW in XML',
    parseCswXml,
    '<GetRecords>…</GetRecords>',
    '<GetRecords><Query><Constraint><Filter>…</Filter></Constraint></Query></GetRecords>',
    '<GetRecords><Query><Constraint><Filter><PropertyIsLike><PropertyName>a</PropertyName><Literal>…</Literal></PropertyIsLike></Filter></Constraint></Query></GetRecords>',
  ),
  parser('records', (text) => [
    toRecordQuery(new Map(['q', 'bbox', 'ids', 'type'].map((name) => [name, text]))),
    parseDatetime(text),
  ]),
  parser(
    'WCS by address',
    (text) => parseWcsRequest(readWcsParams(text)),
    'request=GetCoverage&coverageid=a&subset=…',
    'request=GetCoverage&coverageid=a&scaleaxes=…',
    'request=GetCoverage&coverageid=a&rangesubset=…',
    'version=1.1.1&request=GetCoverage&identifier=a&rangesubset=…',
    'version=1.1.1&request=GetCoverage&identifier=a&boundingbox=…',
    'request=DescribeCoverage&coverageid=…',
  ),
  parser(
    'WCS in XML',
    parseWcsXml,
    '<GetCoverage>…</GetCoverage>',
    '<GetCoverage><Extension>…</Extension></GetCoverage>',
  ),
  parser('WFS by address', (text) => parseKvp({ filter: text, bbox: text, typenames: text }), '(…)', '(…'),
  parser(
    'WFS in XML',
    (text) => parseXmlRequest(text, false),
    '<GetFeature>…</GetFeature>',
    '<Transaction><Insert>…</Insert></Transaction>',
    '<GetFeature><Query typeNames="…"/></GetFeature>',
  ),
  parser(
    'FES filters',
    filter,
    '<Filter><BBOX><ValueReference>geom</ValueReference><Envelope><lowerCorner>…</lowerCorner><upperCorner>1 1</upperCorner></Envelope></BBOX></Filter>',
    '<Filter><BBOX><ValueReference>geom</ValueReference><Envelope><lowerCorner>1…x 1</lowerCorner><upperCorner>1 1</upperCorner></Envelope></BBOX></Filter>',
    '<Filter><Intersects><ValueReference>geom</ValueReference><LineString><posList>…</posList></LineString></Intersects></Filter>',
    '<Filter><PropertyIsLike wildCard="*" singleChar="." escapeChar="!"><ValueReference>a</ValueReference><Literal>…</Literal></PropertyIsLike></Filter>',
  ),
  // portal
  parser('Authorization', parseAuthorization, 'Basic …', 'Bearer …', 'Basic a…a'),
  parser('cookies', (text) => readCookie(text, 'sessionid'), 'a=…', '…=a'),
  parser('Accept of the portal', acceptsJson, 'a/b;q=…', 'a/b;…'),
  parser('JSON bodies of the portal', parseJson, '["…"]', '{"…":1}'),
  parser('forms of the portal', formFields, 'a=…', '…=a'),
  parser('catalogue queries', catalogue, 'search=…', 'filter{…}=a', 'filter{pk.in}=…', 'filter{title.regex}=…'),
  parser('orders and fields of the catalogue', catalogue, 'sort[]=…', 'include[]=…', 'extent=…', 'page_size=…'),
  parser('extents', parseExtent, '…,0,0,0', '1…x,0,0,0'),
  parser(
    'values of filters',
    (text) => TYPES.map((as) => parseFilterValue(as, text)),
    '1…',
    '1…x',
    '2020-01-01T00:00:00…',
  ),
  parser(
    'values of fields',
    (text) => FIELDS.map((field) => parseValue(field, text)),
    '1…',
    '1…x',
    'http://…',
    '{"a":"…"}',
  ),
  parser('regular expressions of strangers', regexComplaint, '(…', 'a{…}'),
  parser('metadata of uploads', parseDescription, '<metadata>…</metadata>', '<a …'),
];

/** What stands in the place: these over and over. Each is what some grammar reads in more than one way. */
export const UNITS: readonly string[] = [
  ...[
    '1',
    '0',
    ' ',
    '\t',
    '\n',
    '\r\n',
    ',',
    ';',
    ':',
    '=',
    '&',
    '%',
    '+',
    '-',
    '.',
    '/',
    '\\',
    '"',
    "'",
    '_',
    'a',
    'é',
  ],
  ...['(', ')', '[', ']', '{', '}', '<', '>', '()', '[]', '{}', '<a>', '<a/>', '</a>', '<!--', '&lt;', '%41', '\0'],
  ...[
    '1,',
    '1 ',
    'a,',
    'a.',
    'a=1&',
    '&a',
    '""',
    "''",
    '\\"',
    "'',",
    '->a',
    '->>',
    '->1',
    'a(',
    'a,b(',
    'a/b,',
    ';q=1',
  ],
  ...['not.', 'and(', 'or(', '(not ', ' and a', 'a in (', '"a":1,', '{"a":', '[1,2],', '$(', '..', '-1.', '1e'],
  ...['version=', 'Basic ', 'StyledLayerDescriptor ', '<NamedLayer>'],
];
