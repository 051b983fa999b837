// GetFeature: the features of a type as GML, GeoJSON or CSV, or only how many there are.

import type { FastifyReply } from 'fastify';
import { whenClientGone } from '../../../http/client-gone.ts';
import { err, ok } from '../../../kernel/result.ts';
import { requestInfo } from '../../map-context.ts';
import { countStatement, type FeatureQuery } from '../../query/feature-query.ts';
import { WGS84 } from '../../query/known-crs.ts';
import { timeLimit } from '../../query/layer-sql.ts';
import { withQuery } from '../../with-query.ts';
import { mayReadRows, NEEDS_DOWNLOAD } from '../may-read-rows.ts';
import { streamCopy, streamRows } from '../row-stream.ts';
import { csvCopy, geojsonRows } from '../text-formats.ts';
import { findType, namesIn } from './feature-types.ts';
import { isNorthFirstName } from './gml-geometry.ts';
import { gmlRows } from './gml-rows.ts';
import type { WfsAsk, WfsHandled, WfsParts } from './wfs-ask.ts';
import { DIALECTS, type Dialect } from './wfs-dialect.ts';
import { BY_ID, COUNT_DEFAULT, collectionHead, typeName } from './wfs-documents.ts';
import { wfsError } from './wfs-error.ts';
import { queryFailure } from './wfs-failure.ts';
import { toFeatureQuery } from './wfs-query.ts';

const COUNT_MS = 30_000;

export async function getFeature(parts: WfsParts, ask: WfsAsk): Promise<WfsHandled> {
  const { context, book } = parts;
  const { request, reply, caller, params } = ask;
  const { values } = params;
  const stored = values.get('storedquery_id') ?? values.get('storedqueryid');
  if (
    stored !== undefined &&
    stored !== BY_ID &&
    stored !== 'http://www.opengis.net/def/query/OGC-WFS/0/GetFeatureById'
  )
    return wfsError('InvalidParameterValue', 'storedquery_id', 'There is no such stored query.');
  const ids = (stored === undefined ? (values.get('resourceid') ?? values.get('featureid')) : values.get('id'))
    ?.split(',')
    .filter(Boolean);
  if (stored !== undefined && ids?.length !== 1)
    return wfsError('MissingParameterValue', 'id', 'The id of the feature is missing.');
  const names = namesIn(params);
  const [name = ids?.[0]?.replace(/\.[^.]*$/, '')] = names;
  if (names.length > 1) return wfsError('OptionNotSupported', 'typeNames', 'One type at a time is answered here.');
  if (name === undefined) return wfsError('MissingParameterValue', 'typeNames', 'The type of the features is missing.');
  const layer = await findType(context, ask, name);
  if (!layer.ok)
    return stored !== undefined && layer.error.kind === 'wfs'
      ? wfsError('NotFound', 'id', 'There is no such feature.')
      : layer;
  const query = await toFeatureQuery(params, layer.value, ids ?? [], book);
  if (!query.ok) return query;
  const dialect = DIALECTS[params.version];
  const isHits = values.get('resulttype')?.toLowerCase() === 'hits';
  // How many there are is said in XML, whatever the features would be in.
  const format = isHits ? 'gml' : outputFormat(values.get('outputformat'), dialect);
  if (format === undefined)
    return wfsError('InvalidParameterValue', 'outputFormat', `The formats are ${dialect.formats.join(', ')}.`);
  const isShortCrs = isShortName(values.get('srsname'), dialect);
  const info = requestInfo(request);
  const may = await mayReadRows(context, caller, info, layer.value);
  if (!may.ok) return may;
  if (!may.value)
    return err({
      kind: 'wfs',
      code: 'NoApplicableCode',
      locator: 'typeNames',
      said: NEEDS_DOWNLOAD,
      status: caller.kind === 'visitor' ? 401 : 403,
    });
  const signal = whenClientGone(reply.raw);
  const vary = (): FastifyReply => reply.header('Vary', 'Authorization, Cookie');
  if (format === 'csv') {
    const csv = await streamCopy(context.db, caller, info, csvCopy(query.value, context.csvFormulaGuard), signal);
    return csv.ok ? ok(vary().type('text/csv; charset=utf-8').send(csv.value)) : queryFailure(csv.error);
  }
  const counted = await context.db.read(caller, info, [timeLimit(COUNT_MS), countStatement(query.value)]);
  if (!counted.ok) return queryFailure(counted.error);
  const matched = Number(counted.value[1]?.rows[0]?.[0]?.toString() ?? 0);
  if (format === 'json') {
    const asked = values.get('srsname');
    // Positions in GeoJSON come east first, whatever the system is; and it is that of all the world unless one is asked for.
    const crs = asked === undefined ? WGS84 : { ...query.value.crs, isNorthFirst: false };
    const json = await streamRows(context.db, caller, info, geojsonRows({ ...query.value, crs }, matched), signal);
    return json.ok ? ok(vary().type('application/json').send(json.value)) : queryFailure(json.error);
  }
  if (stored !== undefined) {
    if (matched === 0) return wfsError('NotFound', 'id', 'There is no such feature.');
    const one = await streamRows(
      context.db,
      caller,
      info,
      gmlRows(query.value, { dialect, place: 'alone', isShortCrs }),
      signal,
    );
    return one.ok ? ok(vary().type(dialect.type).send(one.value)) : queryFailure(one.error);
  }
  return getCollection(parts, ask, query.value, { matched, isHits, isShortCrs });
}

async function getCollection(
  { context }: WfsParts,
  { request, reply, caller, url, params }: WfsAsk,
  query: FeatureQuery,
  { matched, isHits, isShortCrs }: { readonly matched: number; readonly isHits: boolean; readonly isShortCrs: boolean },
): Promise<WfsHandled> {
  const dialect = DIALECTS[params.version];
  const { offset, limit = COUNT_DEFAULT } = query;
  const returned = isHits ? 0 : Math.min(limit, Math.max(0, matched - offset));
  const next = new URLSearchParams();
  for (const [name, value] of params.values)
    if (name !== 'startindex' && name !== 'count' && name !== 'maxfeatures') next.set(name, value);
  next.set('startindex', String(offset + limit));
  next.set('count', String(limit));
  const head = collectionHead(dialect, url, typeName(query.layer), {
    isHits,
    matched,
    returned,
    timeStamp: new Date(context.now()).toISOString(),
    next: !isHits && request.method === 'GET' && offset + limit < matched ? `${withQuery(url)}${next}` : undefined,
  });
  const tail = '</wfs:FeatureCollection>\n';
  if (returned === 0) return ok(reply.type(dialect.type).send(Buffer.from(head + tail)));
  const rows = { ...gmlRows(query, { dialect, place: 'member', isShortCrs }), head, tail: () => tail };
  const streamed = await streamRows(context.db, caller, requestInfo(request), rows, whenClientGone(reply.raw));
  return streamed.ok ? ok(reply.type(dialect.type).send(streamed.value)) : queryFailure(streamed.error);
}

/** `EPSG:4326`, and the address that GML 2 had for it, say nothing of axes: east comes first, and the answer says it by the same name. */
function isShortName(name: string | undefined, { isShortCrs }: Dialect): boolean {
  return isShortCrs || (name !== undefined && name !== '' && !isNorthFirstName(name, true));
}

/** The GML of the version, by any of its names; one of another version is none. */
const GML_NAMES: Readonly<Record<Dialect['version'], RegExp>> = {
  '1.0.0': /^(?:gml|gml2|xmlschema|text\/xml(?:;subtype=gml\/2\.1(?:\.2)?)?)$/,
  '1.1.0': /^(?:gml|gml3|gml31|xmlschema|text\/xml(?:;subtype=gml\/3\.1(?:\.1)?)?|text\/gml;subtype=gml\/3\.1\.1)$/,
  '2.0.0':
    /^(?:gml|gml3|gml32|application\/gml\+xml(?:;version=3\.2(?:\.1)?)?|text\/xml(?:;subtype=gml\/3\.2(?:\.1)?)?)$/,
};

function outputFormat(text: string | undefined, { version }: Dialect): 'gml' | 'json' | 'csv' | undefined {
  const format = (text ?? 'gml').toLowerCase().replace(/[\s"]/g, '');
  if (GML_NAMES[version].test(format)) return 'gml';
  if (/^(?:json|geojson|application\/(?:geo\+)?json|application\/vnd\.geo\+json)$/.test(format)) return 'json';
  return /^(?:csv|text\/csv)$/.test(format) ? 'csv' : undefined;
}
