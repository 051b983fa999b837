import { describe, expect, test } from 'vitest';
import { render } from '../../sql/index.ts';
import { catalogueSource } from '../kinds/item/content-collection.ts';
import { resource } from '../kinds/item/fields.ts';
import { map } from '../kinds/map/fields.ts';
import { parseCatalogueQuery } from './catalogue-query.ts';
import { type ReadPlan, totalSql } from './catalogue-sql.ts';

function plan(query: string): ReadPlan {
  const parsed = parseCatalogueQuery(query, {
    recordType: map,
    searched: ['title', 'abstract'],
    hasExtent: true,
    hasFavourites: true,
    full: [],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return { recordType: map, source: catalogueSource('map'), query: parsed.value, isVisitor: false };
}

/** What stands behind the condition that makes it a list of maps, and the values of its parameters. */
function conditionOf(query: string): [text: string, ...values: unknown[]] {
  const { text, params } = render(totalSql(plan(query)));
  return [
    text.replace("select count(*) from portal.resource r where r.resource_type = 'map'", '').replace(/^ and /, ''),
    ...params.map(({ value }) => value),
  ];
}

describe('conditions as SQL', () => {
  test.each([
    // counted by a function that is quicker
    ['', ["select portal.visible_count('map')"]],
    ['filter{title}=a', ['r.title = $1::text', 'a']],
    ['filter{-title}=a', ['(r.title = $1::text) is not true', 'a']],
    ['filter{title.icontains}=50%25_a%5C', ['(r.title) collate portal.people ilike $1::text', '%50\\%\\_a\\\\%']],
    ['filter{pk.contains}=5', ['r.id::text like $1::text', '%5%']],
    ['filter{pk.in}=1&filter{pk.in}=2', ['r.id = any ($1::bigint[])', '{"1","2"}']],
    ['filter{title.in}=a"b\\c,{d}', ['r.title = any ($1::text[])', '{"a\\"b\\\\c,{d}"}']],
    [
      'filter{owner.username}=ada',
      ['exists (select from portal.account r1 where r1.id = r.owner_id and r1.username = $1::text)', 'ada'],
    ],
    [
      'filter{keywords.name}=a&filter{keywords.slug}=b',
      [
        'exists (select from portal.resource_keyword r1_of join portal.keyword r1 on r1.id = r1_of.keyword_id where r1_of.resource_id = r.id and r1.name = $1::text and r1.slug = $2::text)',
        'a',
        'b',
      ],
    ],
    [
      'filter{-keywords.name}=a',
      [
        '(exists (select from portal.resource_keyword r1_of join portal.keyword r1 on r1.id = r1_of.keyword_id where r1_of.resource_id = r.id and r1.name = $1::text)) is not true',
        'a',
      ],
    ],
    [
      'filter{owner.username.isnull}=1',
      ['not exists (select from portal.account r1 where r1.id = r.owner_id and r1.username is not null)'],
    ],
    ['filter{date.week_day}=1', ["extract(dow from r.date at time zone 'UTC') + 1 = $1::bigint", '1']],
    [
      'search=a b',
      [
        'r.id in (select s.id from portal.search_hits($1::text[], null::text[], null::text[], null::double precision[]) s)',
        '{"a","b"}',
      ],
    ],
    // What else is asked for narrows the search, where nothing is negated.
    [
      'filter{resource_type.in}=map&filter{category.identifier}=Farming&search=a',
      [
        'r.resource_type = any ($1::text[]) and exists (select from portal.category r1 where r1.id = r.category_id and lower(r1.identifier) = any ($2::text[])) and r.id in (select s.id from portal.search_hits($3::text[], $4::text[], $5::text[], null::double precision[]) s)',
        '{"map"}',
        '{"farming"}',
        '{"a"}',
        '{"map"}',
        '{"farming"}',
      ],
    ],
    [
      'filter{-resource_type}=map&search=a&extent=20,0,30,1',
      [
        "(r.resource_type = $1::text) is not true and r.id in (select s.id from portal.search_hits($2::text[], null::text[], null::text[], $3::double precision[]) s) and case when r.resource_type = 'map' and r.ll_bbox_polygon is null then r.id in (select m.id from portal.maps_within($4::double precision[]) m(id)) else ((r.ll_bbox_polygon && st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, 4326) and st_intersects(r.ll_bbox_polygon, st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, 4326))) or (r.ll_bbox_polygon && st_makeenvelope($9::double precision, $10::double precision, $11::double precision, $12::double precision, 4326) and st_intersects(r.ll_bbox_polygon, st_makeenvelope($9::double precision, $10::double precision, $11::double precision, $12::double precision, 4326)))) end",
        'map',
        '{"a"}',
        '{20,0,30,1,-340,0,-330,1}',
        '{20,0,30,1,-340,0,-330,1}',
        ...['20', '0', '30', '1', '-340', '0', '-330', '1'],
      ],
    ],
    [
      'search=a&search_fields=title',
      [
        'r.id in (select s.id from portal.search_ids($1::text[]) s(id)) and ((r.title) collate portal.people ilike $2::text)',
        '{"a"}',
        '%a%',
      ],
    ],
    [
      'search=a&search_fields=title&search_fields=^doi',
      ['((r.title) collate portal.people ilike $1::text or (r.doi) collate portal.people ilike $2::text)', '%a%', 'a%'],
    ],
    [
      'extent=20,0,30,1',
      [
        'r.id in (select e.id from portal.resource e where ((e.ll_bbox_polygon && st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, 4326) and st_intersects(e.ll_bbox_polygon, st_makeenvelope($1::double precision, $2::double precision, $3::double precision, $4::double precision, 4326))) or (e.ll_bbox_polygon && st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, 4326) and st_intersects(e.ll_bbox_polygon, st_makeenvelope($5::double precision, $6::double precision, $7::double precision, $8::double precision, 4326)))) union all select m.id from portal.maps_within($9::double precision[]) m(id))',
        ...['20', '0', '30', '1', '-340', '0', '-330', '1'],
        '{20,0,30,1,-340,0,-330,1}',
      ],
    ],
  ])('%s', (query, expected) => {
    expect(conditionOf(query)).toEqual(expected);
  });

  // The same text of two types must not become one parameter.
  test('equal values of different fields stay apart', () => {
    expect(conditionOf('filter{zoom}=5&filter{title}=5')).toEqual([
      'r.zoom = $1::bigint and r.title = $2::text',
      '5',
      '5',
    ]);
  });
});

describe('the total of some types', () => {
  const totalOf = (query: string): readonly unknown[] => {
    const parsed = parseCatalogueQuery(query, {
      recordType: resource,
      searched: ['title'],
      hasExtent: true,
      hasFavourites: true,
      full: [],
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    const { text, params } = render(
      totalSql({ recordType: resource, source: catalogueSource(undefined), query: parsed.value, isVisitor: false }),
    );
    return [/visible_count/.test(text) ? 'known' : 'counted', ...params.map(({ value }) => value)];
  };

  test.each([
    ['filter{resource_type}=map', ['known', '{"map"}']],
    ['filter{resource_type.in}=map&filter{resource_type.in}=layer', ['known', '{"map","layer"}']],
    ['filter{resource_type.in}=map&filter{resource_type.in}=map', ['known', '{"map"}']],
    ['filter{-resource_type}=map', ['counted', 'map']],
    ['filter{resource_type}=map&filter{title}=a', ['counted', 'map', 'a']],
    ['filter{resource_type.contains}=map', ['counted', '%map%']],
    ['filter{title}=map', ['counted', 'map']],
  ])('%s', (query, expected) => {
    expect(totalOf(query)).toEqual(expected);
  });
});
