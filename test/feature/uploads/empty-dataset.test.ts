// A dataset that is sent as JSON, without files, as the form of newer clients of GeoNode does.

import { expect, test } from 'vitest';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { onUploads } from './upload-kit.ts';

const ADDRESS = '/api/v2/uploads/upload/';
const TREES = {
  action: 'create',
  title: 'Street Trees',
  geom: 'Point',
  attributes: {
    Kind: { type: 'string', nillable: false, options: ['oak', "d'elm"] },
    'height (m)': { type: 'float', nillable: true, range: { min: 0, max: 80.5 } },
    count: { type: 'integer', nillable: true, options: null, range: {} },
    planted: { type: 'date', nillable: true },
  },
};

onUploads('an empty dataset', {}, (kit) => {
  const send = (body: unknown, headers = {}): Promise<Reply> => kit().portal.as('ada').post(ADDRESS, body, headers);

  test('is there at once, and asked for as an upload that is done', async () => {
    const sent = await send(TREES);
    expect(sent).toMatchReply({ status: 201, json: expect.objectContaining({ success: true, status: 'finished' }) });
    const { execution_id, upload_id } = bodyOf<{ execution_id: string; upload_id: number }>(sent);
    const asked = await kit().portal.as('ada').get(`/api/v2/executionrequest/${execution_id}/`);
    const { request } = bodyOf<{ request: { status: string; output_params: { resources: { id: number }[] } } }>(asked);
    expect(request).toMatchObject({ status: 'finished', name: 'street_trees' });
    const id = request.output_params.resources[0]?.id;
    expect(await kit().portal.as('ada').get(`/api/v2/datasets/${id}/`)).toMatchReply({
      status: 200,
      json: { dataset: expect.objectContaining({ title: 'Street Trees', subtype: 'vector' }) },
    });
    expect(await kit().portal.as('ada').get(`/api/v2/uploads/${upload_id}/`)).toMatchReply({
      status: 200,
      json: { upload: expect.objectContaining({ state: 'PROCESSED' }) },
    });
    expect(await kit().portal.as('bob').get(`/api/v2/executionrequest/${execution_id}/`)).toMatchReply({ status: 404 });
  });

  test('keeps the values that its attributes may have', async () => {
    const { upload_id } = bodyOf<{ upload_id: number }>(await send({ ...TREES, title: 'Kept' }));
    const [row] = await kit().db.query<{ name: string }>(
      'select r.name from portal.resource r join portal.upload u on u.resource_id = r.id where u.id = $1',
      [upload_id],
    );
    const insert = (values: string): Promise<unknown> =>
      kit().db.script(`insert into layers.${row?.name} (kind, height_m, count, planted) values (${values})`);
    await insert(`'d''elm', 80.5, 3, '2020-02-29'`);
    await insert(`'oak', null, null, null`);
    await expect(insert(`'ash', 1, 1, null`)).rejects.toThrow(/check/);
    await expect(insert(`'oak', 81, 1, null`)).rejects.toThrow(/check/);
    await expect(insert(`null, 1, 1, null`)).rejects.toThrow(/null/);
  });

  test.each([
    [{ ...TREES, title: '' }, 'title'],
    [{ ...TREES, geom: 'Circle' }, 'geom'],
    [{ ...TREES, geom: 'constructor' }, 'geom'],
    [{ ...TREES, action: 'upload' }, 'action'],
    [{ ...TREES, attributes: [] }, 'attributes'],
    [{ ...TREES, attributes: { a: { type: 'text' } } }, 'attributes'],
    [{ ...TREES, attributes: { a: { type: 'date', range: { min: 1 } } } }, 'attributes'],
    [{ ...TREES, attributes: { a: { type: 'date', options: ['2020-01-01'] } } }, 'attributes'],
    [{ ...TREES, attributes: { a: { type: 'integer', range: { min: 2, max: 1 } } } }, 'attributes'],
    [{ ...TREES, attributes: { a: { type: 'integer', options: [1.5] } } }, 'attributes'],
    [{ ...TREES, attributes: { a: { type: 'integer', unique: true } } }, 'attributes'],
    [{ ...TREES, attributes: { ' ': { type: 'integer' } } }, 'attributes'],
  ])('%j is refused with its field', async (body, field) => {
    const reply = await send(body);
    expect(reply).toMatchReply({ status: 400 });
    expect(bodyOf<object>(reply)).toHaveProperty([field]);
  });

  test('who may not add layers adds none, and what is not known is named or refused', async () => {
    expect(await kit().portal.visitor.post(ADDRESS, TREES)).toMatchReply({ status: 401 });
    expect(await send({ ...TREES, title: 'More', colour: 1 })).toMatchReply({
      status: 201,
      json: expect.objectContaining({ meta: { ignored: ['colour'] } }),
    });
    expect(await send({ ...TREES, colour: 1 }, { prefer: 'handling=strict' })).toMatchReply({ status: 400 });
  });
});
