// `api_preset=viewer_common`: a name for what a client would otherwise write as `include[]` and `exclude[]`. In: a query string and the
// presets that are known. Out: the query string with what the names stand for.

import { parseQueryParams } from './query-params.ts';

export type Preset = { readonly include: readonly string[]; readonly exclude: readonly string[] };
export type Presets = ReadonlyMap<string, Preset>;

const only = (fields: string): Preset => ({ include: fields.split(' '), exclude: ['*'] });
const also = (fields: string): Preset => ({ include: fields.split(' '), exclude: [] });

const SHOWN =
  'advertised detail_url is_approved is_copyable is_published owner perms pk raw_abstract resource_type subtype title executions thumbnail_url';

/** Those that MapStore's client for GeoNode sends. */
const OF_CLIENTS: Presets = new Map([
  ['catalog_list', only(`${SHOWN} category keywords created favorite`)],
  [
    'dataset_list',
    only(`${SHOWN} data alternate links featureinfo_custom_template has_time default_style ptype extent`),
  ],
  ['map_list', only(`${SHOWN} data`)],
  [
    'document_list',
    only(
      'pk raw_abstract resource_type subtype title data executions thumbnail_url alternate attribution href extension',
    ),
  ],
  [
    'viewer_common',
    only(
      `${SHOWN} abstract alternate attribution category created date date_type download_urls embed_url extent favorite group keywords language last_updated linked_resources links poc regions sourcetype supplemental_information temporal_extent_end temporal_extent_start uuid metadata_uploaded_preserve featured`,
    ),
  ],
  ['map_viewer', also('data maplayers')],
  ['map_details', also('maplayers')],
  ['document_viewer', also('href extension ll_bbox_polygon')],
  [
    'dataset_viewer',
    also('featureinfo_custom_template dataset_ows_url default_style ptype store has_time attribute_set data'),
  ],
]);

/** Names of no preset are passed over, as names of no field are. `more`: presets of the operator, which win. */
export function withPresets(query: string, more: Presets): string {
  if (!query.includes('api_preset')) return query;
  const params = parseQueryParams(query);
  const added: string[] = [];
  for (const name of new Set([...params.all('api_preset'), ...params.all('api_preset[]')])) {
    const preset = more.get(name) ?? OF_CLIENTS.get(name);
    for (const field of preset?.include ?? []) added.push(`include[]=${encodeURIComponent(field)}`);
    for (const field of preset?.exclude ?? []) added.push(`exclude[]=${encodeURIComponent(field)}`);
  }
  return [query, ...new Set(added)].join('&');
}
