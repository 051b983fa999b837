// Lists and items are made of records that were made before. Whatever changes, for whomever: they show what is shown where all is made anew.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, roleOf, VISITOR } from '../../../src/auth/caller.ts';
import { makeByteCache } from '../../../src/kernel/byte-cache.ts';
import { toStatement } from '../../../src/portal/fields/bound-value.ts';
import { geoapp, geostory } from '../../../src/portal/kinds/app/fields.ts';
import { document } from '../../../src/portal/kinds/document/fields.ts';
import { catalogueSource } from '../../../src/portal/kinds/item/content-collection.ts';
import { resource } from '../../../src/portal/kinds/item/fields.ts';
import { layer } from '../../../src/portal/kinds/layer/fields.ts';
import { makeRecordCache, type RecordCache } from '../../../src/portal/operations/record-cache.ts';
import { parseCatalogueQuery } from '../../../src/portal/query/catalogue-query.ts';
import { itemSql, type ReadPlan } from '../../../src/portal/query/catalogue-sql.ts';
import { makeApiAlone } from './api-alone.ts';
import { onCatalogue, scriptAs } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

const LISTS = [
  '/api/v2/resources?page_size=100',
  '/api/v2/resources?page_size=3&page=2&sort[]=title',
  '/api/v2/layers?exclude[]=*&include[]=pk&include[]=title&include[]=owner&include[]=perms&include[]=links',
  '/api/v2/layers',
  '/api/v2/documents',
  '/api/v2/geoapps',
  '/api/v2/geostories',
];
const PEOPLE = ['visitor', 'ada', 'bob', 'mia', 'mel', 'admin'] as const;
type Person = (typeof PEOPLE)[number];

type Collection = Pick<ReadPlan, 'recordType' | 'source'> & { readonly path: string; readonly item: string };
const RESOURCES: Collection = {
  path: 'resources',
  item: 'resource',
  recordType: resource,
  source: catalogueSource(undefined),
};
const DOCUMENTS: Collection = {
  path: 'documents',
  item: 'document',
  recordType: document,
  source: catalogueSource('document'),
};
const LAYERS: Collection = { path: 'layers', item: 'layer', recordType: layer, source: catalogueSource('layer') };
/** Addressed by the collection that has it, and by one that has not. */
const ITEMS: readonly (readonly [title: string, Collection])[] = [
  ['Rivers', RESOURCES],
  ['Rivers', DOCUMENTS],
  ['Annual report', DOCUMENTS],
  ['Rivers', LAYERS],
  ['Lakes', LAYERS],
];

/** One line per thing that a record follows from. */
const CHANGES: readonly (readonly [what: string, sql: string])[] = [
  ['a title', `update portal.resource set title = 'Streams' where title = 'Rivers'`],
  [
    'an attribute',
    `insert into portal.attribute (resource_id, attribute) select id, 'depth' from portal.resource where title = 'Streams'`,
  ],
  ['what an attribute means', `update portal.attribute set description = 'In metres' where attribute = 'depth'`],
  [
    'an attribute of another layer',
    `update portal.attribute set resource_id = (select id from portal.resource where title = 'Lakes') where attribute = 'depth'`,
  ],
  ['an attribute that goes', `delete from portal.attribute where attribute = 'depth'`],
  [
    'a style',
    `with s as (insert into portal.style (name, sld_body) values ('deep', '<a/>') returning id) insert into portal.layer_style (resource_id, style_id) select r.id, s.id from portal.resource r, s where r.title = 'Streams'`,
  ],
  [
    'a style by default',
    `update portal.resource set default_style_id = (select id from portal.style where name = 'deep') where title = 'Streams'`,
  ],
  ['the look of a style', `update portal.style set sld_body = '<b/>' where name = 'deep'`],
  [
    'a layer that shares a style',
    `insert into portal.layer_style (resource_id, style_id) select r.id, s.id from portal.resource r, portal.style s where r.title = 'Lakes' and s.name = 'deep'`,
  ],
  ['the title of a style that is shared', `update portal.style set sld_title = 'Deep' where name = 'deep'`],
  // It is found under the first of its layers that one sees.
  [
    'who sees a layer that shares a style',
    `select portal.set_perms((select min(l.resource_id) from portal.layer_style l join portal.style s on s.id = l.style_id where s.name = 'deep'), '{}')`,
  ],
  [
    'and who sees it again',
    `select portal.set_perms((select min(l.resource_id) from portal.layer_style l join portal.style s on s.id = l.style_id where s.name = 'deep'), '{"groups": {"anonymous": ["view_resourcebase"]}}')`,
  ],
  [
    'a layer that no longer shares a style',
    `delete from portal.layer_style l using portal.style s where s.id = l.style_id and s.name = 'deep' and l.resource_id = (select id from portal.resource where title = 'Streams')`,
  ],
  ['a style that goes', `delete from portal.style where name = 'deep'`],
  ['a count', 'update portal.resource set popular_count = popular_count + 1'],
  ['approval', `update portal.resource set is_approved = false where title = 'Streams'`],
  [
    'a keyword that is added',
    `select portal.set_keywords(id, '{water, north, wet}') from portal.resource where title = 'Streams'`,
  ],
  [
    'a keyword that is taken off',
    `delete from portal.resource_keyword where keyword_id = (select id from portal.keyword where name = 'north')`,
  ],
  ['the name of a keyword', `update portal.keyword set name = 'damp' where name = 'wet'`],
  ['a keyword that goes', `delete from portal.keyword where name = 'damp'`],
  [
    'a region',
    `insert into portal.resource_region (resource_id, region_id) select id, 9 from portal.resource where title = 'Streams'`,
  ],
  ['the name of a region', `update portal.region set name = 'Nowhere' where id = 9`],
  [
    'a thesaurus',
    `with t as (insert into portal.thesaurus (identifier, title) values ('words', 'Words') returning id), k as (insert into portal.thesaurus_keyword (thesaurus_id, alt_label) select id, 'flow' from t returning id) insert into portal.resource_tkeyword (resource_id, keyword_id) select r.id, k.id from portal.resource r, k where r.title = 'Streams'`,
  ],
  ['a word of a thesaurus', `update portal.thesaurus_keyword set labels = '{"de": "Fluss"}' where alt_label = 'flow'`],
  ['the title of a thesaurus', `update portal.thesaurus set title = 'Other words' where identifier = 'words'`],
  ['a category', `update portal.resource set category_id = 3 where title = 'Streams'`],
  ['the name of a category', `update portal.category set identifier = 'other' where id = 3`],
  ['the name of a license', `update portal.license set identifier = 'other' where id = 6`],
  [
    'a link',
    `insert into portal.link (resource_id, extension, link_type, name, mime, url) select id, 'csv', 'data', 'CSV', 'text/csv', '/x.csv' from portal.resource where title = 'Streams'`,
  ],
  ['the address of a link', `update portal.link set url = 'https://example.org/x.csv' where name = 'CSV'`],
  [
    'a link of another item',
    `update portal.link set resource_id = (select id from portal.resource where title = 'Lakes') where name = 'CSV'`,
  ],
  ['a link that goes', `delete from portal.link where name = 'CSV'`],
  [
    'a thumbnail',
    `insert into portal.thumbnail (resource_id, blob) select id, 'thumbnails/a' from portal.resource where title in ('Streams', 'Annual report')`,
  ],
  ['the type of a thumbnail', `update portal.thumbnail set mime_type = 'image/webp' where blob = 'thumbnails/a'`],
  ['a thumbnail that goes', `delete from portal.thumbnail where blob = 'thumbnails/a'`],
  [
    'a file',
    `insert into portal.document_file (resource_id, blob, file_name, size) select id, 'documents/a', 'a.txt', 1 from portal.resource where title = 'Annual report'`,
  ],
  [
    'who may download',
    `update portal_private.resource_grant set perms = 1 where principal = -1 and resource_id = (select id from portal.resource where title = 'Annual report')`,
  ],
  [
    'where a document is',
    `update portal.resource set doc_url = 'https://example.org/report.pdf', extension = 'pdf', mime_type = 'application/pdf' where title = 'Annual report'`,
  ],
  ['the kind of a document', `update portal.resource set doc_type = 'image' where title = 'Annual report'`],
  [
    'the view of an app',
    `update portal.resource set zoom = 9, center_x = 1.5 where resource_type in ('geoapp', 'geostory')`,
  ],
  ['a file that goes', `delete from portal.document_file where blob = 'documents/a'`],
  ['the name of a person', `update portal.account set first_name = 'Adelaide' where username = 'ada'`],
  [
    'the picture of a person',
    `update portal.account set avatar = 'https://example.org/ada.png' where username = 'ada'`,
  ],
  ['what a person may add', `update portal.account set can_add = not can_add where username = 'ada'`],
  [
    'a point of contact',
    `update portal.resource set poc_id = (select id from portal.account where username = 'mia') where title = 'Streams'`,
  ],
  ['the name of a point of contact', `update portal.account set last_name = 'Other' where username = 'mia'`],
  [
    'an owner',
    `update portal.resource set owner_id = (select id from portal.account where username = 'bob') where title = 'Dashboard'`,
  ],
  [
    'a group',
    `update portal.resource set group_id = (select id from portal.user_group where slug = 'surveyors') where title = 'Streams'`,
  ],
  ['the name of a group', `update portal.user_group set slug = 'measurers' where slug = 'surveyors'`],
  ['a group that becomes private', `update portal.user_group set access = 'private' where slug = 'measurers'`],
  [
    'who is in a group',
    `delete from portal.group_member where account_id = (select id from portal.account where username = 'mel') and group_id = (select id from portal.user_group where slug = 'measurers')`,
  ],
  [
    'the extent of a map by its view',
    `update portal.resource set ll_bbox_polygon = null, zoom = 7 where resource_type = 'map'`,
  ],
  [
    'the extent of a map by its layers',
    `update portal.resource set ll_bbox_polygon = public.st_makeenvelope(1, 2, 3, 4, 4326) where title = 'Streams'`,
  ],
  ['a layer of a map', `delete from portal.map_layer where name <> 'osm'`],
  ['the switch that makes all read-only', `update portal.setting set value = true where name = 'READ_ONLY'`],
  ['and the switch back', `update portal.setting set value = false where name = 'READ_ONLY'`],
  ['who sees it', `select portal.set_perms(id, '{}') from portal.resource where title = 'Lakes'`],
  ['an item that goes', `delete from portal.resource where title = 'Streams'`],
];

onCatalogue('kept records', {}, (portal) => {
  let warm: FastifyInstance;
  let cold: FastifyInstance;
  let asking: Caller = VISITOR;
  let ids: ReadonlyMap<string, number> = new Map();
  beforeAll(async () => {
    await fillCatalogue(portal());
    warm = await apiWith(makeRecordCache());
    // Nothing fits in.
    cold = await apiWith(makeRecordCache(makeByteCache(0)));
  });
  afterAll(async () => {
    await warm.close();
    await cold.close();
  });

  const apiWith = (kept: RecordCache): Promise<FastifyInstance> => makeApiAlone(portal().callerDb, () => asking, kept);

  const callerOf = (person: Person): Caller =>
    person === 'visitor'
      ? VISITOR
      : {
          kind: 'account',
          id: portal().ids[person],
          username: person,
          role: person === 'admin' ? 'survest_admin' : 'survest_user',
          via: 'basic',
        };

  const expectedItem = async (
    caller: Caller,
    id: number,
    { recordType, source, item }: Collection,
  ): Promise<string> => {
    const query = parseCatalogueQuery('', { recordType, searched: [], hasExtent: true, hasFavourites: true, full: [] });
    if (!query.ok) throw new Error(JSON.stringify(query.error));
    const plan = { recordType, source, query: query.value, isVisitor: caller.kind === 'visitor' };
    const statement = toStatement(itemSql(id, plan), { role: roleOf(caller), base: 'http://x' });
    const executed = await portal().callerDb.read(caller, { method: 'GET', path: '/' }, [statement]);
    if (!executed.ok) throw new Error(JSON.stringify(executed.error));
    const record = executed.value[0]?.rows[0]?.[0];
    return record == null ? 'nothing' : `{"${item}":${record.toString()}}`;
  };

  /** Every item as everybody gets it, held against the one statement that makes it anew. */
  async function expectSameItems(what: string): Promise<void> {
    for (const person of PEOPLE) {
      asking = callerOf(person);
      for (const [title, collection] of ITEMS) {
        const id = ids.get(title) ?? 0;
        const reply = await warm.inject({ url: `/api/v2/${collection.path}/${id}` });
        const shown = reply.statusCode === 404 ? 'nothing' : reply.body;
        expect(shown, `${what}: ${person} ${collection.path} ${title}`).toBe(
          await expectedItem(asking, id, collection),
        );
      }
    }
  }

  /** What everybody gets of every list. */
  async function answers(app: FastifyInstance): Promise<Record<string, string>> {
    const all: Record<string, string> = {};
    for (const person of PEOPLE) {
      asking = callerOf(person);
      for (const url of LISTS) {
        const reply = await app.inject({ url });
        expect(reply.statusCode, `${person} ${url}: ${reply.body}`).toBe(200);
        all[`${person} ${url}`] = reply.body;
      }
    }
    return all;
  }

  test('show what records show that are made anew, byte for byte, whatever has changed', async () => {
    let before = await answers(warm);
    expect(await answers(warm)).toEqual(before);
    expect(await answers(cold)).toEqual(before);
    const rows = await portal().db.query('select id, title from portal.resource');
    ids = new Map(rows.map(({ id, title }) => [String(title), Number(id)]));
    await expectSameItems('before');
    for (const [what, sql] of CHANGES) {
      // What belongs to functions of callers is done by one.
      await (sql.startsWith('select portal.') ? scriptAs(portal(), 'admin', sql) : portal().db.script(sql));
      const after = await answers(warm);
      expect(after, what).toEqual(await answers(cold));
      expect(after, `${what} changes nothing`).not.toEqual(before);
      before = after;
      await expectSameItems(what);
    }
  }, 240_000);
});

// A field that is added is shown in records that are kept: is all that it follows from in the stamp of the item?
test('the fields of kept records are these', () => {
  expect(resource.fields.filter(({ isStamped }) => isStamped !== true).map(({ name }) => name)).toEqual([
    'sharing',
    'permissions',
    'favorite',
    'data_updated',
    'freshness',
  ]);
  expect(resource.fields).toHaveLength(66);
  for (const { fields } of [document, geoapp, geostory, layer]) {
    const others = fields.filter(({ isStamped, shown }) => isStamped !== true && shown !== undefined);
    expect(others.filter(({ deferred }) => !deferred)).toEqual([]);
  }
});
