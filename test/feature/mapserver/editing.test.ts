// What editors need of OGC API Features: rules of columns in the schema, refusals by field, whole coordinates, shapes cut and merged.

import { beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

const trees = '/ogc/collections/trees';
const fields = '/ogc/collections/fields';

onLayers('editing', {}, (kit) => {
  beforeAll(async () => {
    await kit().db.script(`
      create table public.species (id integer primary key, name text);
      insert into public.species values (1, 'Oak'), (2, 'Beech');
      grant select on public.species to survest_anon, survest_user, survest_admin;
      grant references on public.species to survest_authenticator;
      create type public.health as enum ('good', 'fair', 'dead');
      create domain public.percent as numeric(5,2);`);
    const id = await makeLayer(kit(), {
      name: 'trees',
      columns: `name varchar(10) not null, health public.health, species integer references public.species,
        kind text check (kind in ('street', 'park')), height double precision check (height > 0 and height <= 150),
        crown public.percent, code text unique, planted date, note text not null default '',
        grade smallint, label text generated always as (kind || '!') stored,
        constraint has_height check (planted is null or height is not null)`,
      geometry: 'PointZ',
      rows: `insert into $table (name, code, height, geom) values
        ('first', 'a', 10, st_setsrid(st_makepoint(7.123456789012345, 50.1, 33.5), 4326)), ('second', 'b', 5, null)`,
    });
    await kit().db.script(`
      comment on column layers.trees.grade is E'How it looks.\\n@survest choices 1 = fine | 2 = poor\\n@survest range 1 to 2';`);
    await setPerms(kit(), id, OPEN);
    const square = (x: number): string => `(((${x} 0, ${x + 1} 0, ${x + 1} 1, ${x} 1, ${x} 0)))`;
    const other = await makeLayer(kit(), {
      name: 'fields',
      geometry: 'MultiPolygon',
      srid: 25832,
      rows: `insert into $table (geom) select st_transform(st_geomfromtext('MULTIPOLYGON' || p, 4326), 25832)
        from unnest(array['${square(8)}', '${square(9)}']) p`,
    });
    await setPerms(kit(), other, OPEN);
  });

  test('the schema says what the database asks of each column', async () => {
    const schema = bodyOf<{ properties: Record<string, unknown>; required: string[] }>(
      await kit().portal.visitor.get(`${trees}/schema`),
    );
    expect(schema.required).toEqual(['name']);
    expect(schema.properties).toMatchObject({
      name: { type: 'string', maxLength: 10 },
      health: { enum: ['good', 'fair', 'dead'] },
      species: {
        oneOf: [
          { const: 2, title: 'Beech' },
          { const: 1, title: 'Oak' },
        ],
      },
      kind: { enum: ['street', 'park'] },
      height: { exclusiveMinimum: 0, maximum: 150 },
      crown: { type: 'string', multipleOf: 0.01 },
      grade: {
        description: 'How it looks.',
        minimum: 1,
        maximum: 2,
        oneOf: [
          { const: 1, title: 'fine' },
          { const: 2, title: 'poor' },
        ],
      },
      label: { readOnly: true },
      fid: { readOnly: true },
    });
  });

  test('what a constraint refuses is told of its field', async () => {
    const ada = kit().portal.as('ada');
    const refused = async (properties: Record<string, unknown>): Promise<unknown> => {
      const reply = await ada.patch(`${trees}/items/1`, { properties });
      return [reply.status, bodyOf(reply)];
    };
    expect(await refused({ name: null })).toEqual([400, { name: ['This field is required.'] }]);
    expect(await refused({ kind: 'sea' })).toEqual([400, { kind: ['This is not a valid choice.'] }]);
    expect(await refused({ species: 7 })).toEqual([400, { species: ['This is not a valid choice.'] }]);
    expect(await refused({ code: 'b' })).toEqual([400, { code: ['A feature with this value already exists.'] }]);
    expect(await refused({ height: 200 })).toEqual([
      400,
      { height: ['Ensure this value is greater than 0. Ensure this value is less than or equal to 150.'] },
    ]);
    expect(await refused({ name: 'much too long', note: 'this may be long' })).toEqual([
      400,
      { name: ['Ensure this field has no more than 10 characters.'] },
    ]);
    const both = await refused({ planted: '2020-01-01', height: null });
    expect(both).toMatchObject([400, { planted: [expect.stringContaining('breaks the rule')] }]);
    const made = await ada.post(`${trees}/items`, { type: 'Feature', geometry: null, properties: { code: 'c' } });
    expect([made.status, bodyOf(made)]).toEqual([400, { name: ['This field is required.'] }]);
  });

  test('an editor reads all digits, and its tag of them is a state that can be bound to', async () => {
    const ada = kit().portal.as('ada');
    const exact = await ada.get(`${trees}/items/1?exact=true`);
    const tag = String((exact.headers as Record<string, string>)['etag']);
    const { geometry } = bodyOf<{ geometry: { coordinates: number[] } }>(exact);
    expect(geometry.coordinates).toEqual([7.123456789012345, 50.1, 33.5]);
    const sent = { geometry, properties: { note: 'seen' } };
    expect(await ada.patch(`${trees}/items/1`, sent, { 'if-match': tag })).toMatchReply({ status: 204 });
    expect(await ada.patch(`${trees}/items/1`, sent, { 'if-match': tag })).toMatchReply({ status: 412 });
    expect(bodyOf(await ada.get(`${trees}/items/1?exact=true`))).toMatchObject({
      geometry,
      properties: { note: 'seen' },
    });
    expect(await ada.get(`${trees}/items/1?exact=maybe`)).toMatchReply({ status: 400 });
  });

  test('a shape is cut along a line, and pieces are merged again; nothing is written', async () => {
    const ada = kit().portal.as('ada');
    type Feature = { geometry: { type: string; coordinates: number[][][][] } };
    const { geometry } = bodyOf<Feature>(await ada.get(`${fields}/items/1?exact=true`));
    const line = {
      type: 'LineString',
      coordinates: [
        [8.5, -1],
        [8.5, 2],
      ],
    };
    const split = await ada.post(`${fields}/split`, { geometry, line });
    expect(split.status).toBe(200);
    const { geometries } = bodyOf<{ geometries: Feature['geometry'][] }>(split);
    expect(geometries.map(({ type }) => type)).toEqual(['Polygon', 'Polygon']);
    const merged = await ada.post(`${fields}/merge`, { geometries });
    expect(bodyOf<{ geometries: { type: string }[] }>(merged).geometries[0]?.type).toBe('Polygon');
    // A part that the line does not touch stays with the first piece.
    const both = bodyOf<{ features: Feature[] }>(await ada.get(`${fields}/items`)).features.map((one) => one.geometry);
    const far = [
      [
        [20, 0],
        [21, 0],
        [21, 1],
        [20, 0],
      ],
    ];
    const two = { type: 'MultiPolygon', coordinates: [...(both[0]?.coordinates ?? []), far] };
    const pieces = bodyOf<{ geometries: Feature['geometry'][] }>(
      await ada.post(`${fields}/split`, { geometry: two, line }),
    ).geometries;
    expect(pieces.map(({ type, coordinates }) => [type, coordinates.length])).toEqual([
      ['MultiPolygon', 2],
      ['Polygon', 1],
    ]);

    const beside = {
      ...line,
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    };
    expect(await ada.post(`${fields}/split`, { geometry, line: beside })).toMatchReply({ status: 400 });
    expect(await ada.post(`${fields}/split`, { geometry, line: geometry })).toMatchReply({ status: 400 });
    expect(await ada.post(`${fields}/merge`, { geometries: [geometry] })).toMatchReply({ status: 400 });
    expect(await kit().portal.as('mia').post(`${fields}/split`, { geometry, line })).toMatchReply({ status: 403 });
    expect(await kit().portal.visitor.post(`${fields}/merge`, { geometries: both })).toMatchReply({ status: 401 });
  });

  test('what does not fit the layer as one shape is not merged', async () => {
    const ada = kit().portal.as('ada');
    const points = [
      { type: 'Point', coordinates: [1, 1, 1] },
      { type: 'Point', coordinates: [2, 2, 2] },
    ];
    const reply = await ada.post(`${trees}/merge`, { geometries: points });
    expect([reply.status, bodyOf(reply)]).toEqual([
      400,
      { detail: 'The shapes do not touch: together they are no Point, as the layer needs.' },
    ]);
  });
});
