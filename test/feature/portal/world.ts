// A small catalogue that most suites read: items of every kind, some for everybody, some for few.

import type { Portal } from '../../testkit/portal-client.ts';
import { scriptAs } from './on-catalogue.ts';

/** By last change, newest first: each item is changed a minute after the one before it. */
export async function fillCatalogue(portal: Portal): Promise<void> {
  await scriptAs(
    portal,
    'ada',
    `
    insert into portal.resource (resource_type, title, abstract, name, zoom, projection, center_x, center_y, category_id, license_id, date, temporal_extent_start, ll_bbox_polygon, bbox_polygon, doi, featureinfo_custom_template) values
      ('layer', 'Rivers', 'Flowing <b>water</b> of the north', 'rivers', null, null, null, null, (select id from portal.category where identifier = 'inlandWaters'), 6, '2020-03-01T10:00:00Z', '2019-01-01Z', st_makeenvelope(5, 45, 15, 55, 4326), st_makeenvelope(5, 45, 15, 55, 4326), '10.1/rivers', null),
      ('layer', 'Lakes', 'Standing water; 100% wet', 'lakes', null, null, null, null, (select id from portal.category where identifier = 'inlandWaters'), null, '2021-06-06T10:00:00Z', null, st_makeenvelope(20, 45, 30, 55, 4326), null, null, '<p/>'),
      ('map', 'Rivers and roads', 'A map', 'rr', 5, 'EPSG:3857', 10.5, 50, null, null, '2021-12-31T23:30:00Z', null, st_makeenvelope(-170, -10, -160, 10, 4326), null, null, null),
      ('document', 'Annual report', 'Numbers about rivers', null, null, null, null, null, (select id from portal.category where identifier = 'society'), null, '2022-01-01T00:00:00Z', null, null, null, null, null),
      ('geostory', 'A walk along the river', 'Once upon a time', 'walk', null, null, null, null, null, null, '2022-02-02Z', null, null, null, null, null),
      ('geoapp', 'Dashboard', '', 'dashboard', null, null, null, null, null, null, '2022-02-03Z', null, null, null, null, null);
    select portal.set_keywords(id, '{water, north}') from portal.resource where title = 'Rivers';
    select portal.set_keywords(id, '{water}'), portal.set_regions(id, '{6, 1}') from portal.resource where title = 'Lakes';
    select portal.add_style(id, 'blue', '<sld/>', as_default => true) from portal.resource where title = 'Rivers';
    insert into portal.attribute (resource_id, attribute, display_order) select id, a, n from portal.resource, unnest(array['name', 'length']) with ordinality x(a, n) where title = 'Rivers';
    insert into portal.map_layer (map_id, layer_id, name, stack_order, opacity) select m.id, l.id, l.alternate, 1, 0.5 from portal.resource m, portal.resource l where m.title = 'Rivers and roads' and l.title = 'Rivers';
    insert into portal.map_layer (map_id, name, stack_order) select m.id, 'osm', 0 from portal.resource m where m.title = 'Rivers and roads';
    insert into portal.app_data (resource_id, data) select id, '{"sections": [{"title": "Start"}]}' from portal.resource where resource_type in ('geostory', 'geoapp');
    insert into portal.document_link (document_id, resource_id) select d.id, l.id from portal.resource d, portal.resource l where d.title = 'Annual report' and l.title in ('Rivers', 'Lakes')`,
  );
  await scriptAs(
    portal,
    'bob',
    `
    insert into portal.resource (resource_type, title, abstract) values ('layer', 'Secret mines', 'Rivers underground'), ('layer', 'Shared wells', 'With ada');
    select portal.set_perms(id, '{}') from portal.resource where title = 'Secret mines';
    select portal.set_perms(id, '{"users": {"ada": ["view_resourcebase"]}}') from portal.resource where title = 'Shared wells';
    select portal.set_keywords(id, '{hidden}') from portal.resource where title = 'Secret mines'`,
  );
  await portal.db.script(`
    update portal.resource set last_updated = '2024-01-01Z'::timestamptz + id * interval '1 minute', featured = title = 'Lakes', is_approved = title <> 'Lakes', is_published = title <> 'Dashboard', popular_count = id`);
}

/** What everybody sees, newest first. */
export const PUBLIC_TITLES: readonly string[] = [
  'Dashboard',
  'A walk along the river',
  'Annual report',
  'Rivers and roads',
  'Lakes',
  'Rivers',
];
