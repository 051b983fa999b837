// The metadata of an item as a form: what the schema says fits what is read, and what is sent back is what the item has then.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { bodyOf, idOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Schema = {
  readonly properties: Readonly<Record<string, { readonly oneOf?: readonly { readonly const: unknown }[] }>>;
};

onCatalogue('the form of metadata', {}, (portal) => {
  let at = '';
  let hidden = '';
  beforeAll(async () => {
    await fillCatalogue(portal());
    at = `/api/v2/metadata/instance/${await idOf(portal(), 'Lakes')}`;
    hidden = `/api/v2/metadata/instance/${await idOf(portal(), 'Secret mines')}`;
  });
  const schema = async (): Promise<Schema> => bodyOf<Schema>(await portal().visitor.get('/api/v2/metadata/schema/'));
  const form = async (): Promise<Record<string, unknown>> => bodyOf(await portal().as('ada').get(at));

  test('is read by who sees the item, as the schema says', async () => {
    const said = await schema();
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(said);
    const { extraErrors, ...values } = await form();
    expect([check(values), check.errors]).toEqual([true, null]);
    expect(extraErrors).toEqual({});
    expect(Object.keys(values).sort()).toEqual(Object.keys(said.properties).sort());
    expect(values).toMatchObject({
      title: 'Lakes',
      category: 'inlandWaters',
      keywords: ['water'],
      regions: expect.arrayContaining([{ id: expect.stringMatching(/^[A-Z]{3}$/), label: expect.any(String) }]),
    });
    expect(said.properties['category']?.oneOf).toContainEqual({ const: 'biota', title: expect.any(String) });
    expect(await portal().visitor.get(hidden)).toMatchReply({ status: 404 });
    expect(await portal().visitor.get(at)).toMatchReply({ status: 200 });
  });

  test('is sent back as it was read, and changed, by who may change the item', async () => {
    const before = await form();
    const saved = { status: 200, json: { message: expect.any(String), extraErrors: {} } };
    expect(await portal().as('ada').put(at, before)).toMatchReply(saved);
    expect(await form()).toEqual(before);
    const changes = {
      title: 'Ponds',
      category: 'biota',
      keywords: ['small'],
      regions: [],
      license: null,
      colour: 'red',
    };
    expect(
      await portal()
        .as('ada')
        .put(at, { ...before, ...changes }),
    ).toMatchReply(saved);
    const { colour: _, ...kept } = changes;
    expect(await form()).toEqual({ ...before, ...kept });
    expect(await portal().as('ada').put(at, before)).toMatchReply(saved);
    expect(await form()).toEqual(before);
    expect(await portal().as('bob').put(at, before)).toMatchReply({ status: 403 });
    expect(await portal().as('ada').put(hidden, before)).toMatchReply({ status: 404 });
    expect(await portal().visitor.request('PUT', at, { body: before })).toMatchReply({ status: 401 });
  });

  test('is refused with what is wrong beside the field, and nothing of it is kept', async () => {
    const before = await form();
    expect(
      await portal()
        .as('ada')
        .put(at, { ...before, title: '', date_type: 'birth', abstract: 'x' }),
    ).toMatchReply({
      status: 400,
      json: {
        message: expect.any(String),
        extraErrors: { title: { __errors: [expect.any(String)] }, date_type: { __errors: [expect.any(String)] } },
      },
    });
    expect(await portal().as('ada').put(at, [1])).toMatchReply({ status: 400 });
    expect(await form()).toEqual(before);
  });

  test('is completed from keywords, regions and categories', async () => {
    const found = async (list: string, q: string) =>
      bodyOf<{ results: unknown[] }>(await portal().visitor.get(`/api/v2/metadata/autocomplete/${list}?q=${q}`))
        .results;
    expect(await found('keywords', 'wat')).toEqual([{ id: 'water', label: 'water' }]);
    // Of a hidden item, not even the word.
    expect(await found('keywords', 'hidden')).toEqual([]);
    expect(await found('regions', 'austria')).toEqual([{ id: 'AUT', label: 'Austria' }]);
    expect(await found('categories', 'BIOT')).toEqual([{ id: 'biota', label: 'biota' }]);
  });
});
