// Layers for processes, processes run as somebody, and the rows that come of them.

import { expect } from 'vitest';
import type { AccountName } from '../../testkit/portal-client.ts';
import type { UploadKit } from './upload-kit.ts';

export const square = (x: number, y: number, side: number): unknown => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
      [x, y],
    ],
  ],
});

export type Json = Readonly<Record<string, unknown>>;
export type Feature = { readonly geometry: { readonly type: string }; readonly properties: Json };

export async function layer(kit: UploadKit, name: string, content: string, as: AccountName = 'ada'): Promise<number> {
  const { state, resource_id, session } = await kit.import(as, [{ name: `${name}.geojson`, content }]);
  if (state !== 'PROCESSED' || resource_id === null) throw new Error(JSON.stringify(session));
  return resource_id;
}

export async function begin(kit: UploadKit, as: AccountName, process: string, inputs: Json): Promise<Json> {
  const reply = await kit.portal.as(as).post(`/ogc/processes/${process}/execution`, { inputs });
  const body = JSON.parse(String(reply.body)) as Json;
  if (reply.status !== 201) throw new Error(`${reply.status} ${String(reply.body)}`);
  expect(reply).toMatchReply({
    status: 201,
    headers: { location: new RegExp(`/ogc/jobs/${String(body['jobID'])}$`) },
    json: expect.anything(),
  });
  return body;
}

/** The layer that a process has made. */
export async function make(kit: UploadKit, as: AccountName, process: string, inputs: Json): Promise<number> {
  const { upload } = await begin(kit, as, process, inputs);
  const { state, session, resource_id } = await kit.until(Number(upload));
  if (state !== 'PROCESSED' || resource_id === null) throw new Error(JSON.stringify(session));
  return resource_id;
}

export async function features(kit: UploadKit, as: AccountName, id: number): Promise<readonly Feature[]> {
  const reply = await kit.portal.as(as).get(`/ogc/collections/${id}/items?limit=1000`);
  if (reply.status !== 200) throw new Error(`${reply.status} ${String(reply.body)}`);
  return (JSON.parse(String(reply.body)) as { readonly features: readonly Feature[] }).features;
}

export const rowsOf = async (kit: UploadKit, as: AccountName, id: number): Promise<readonly Json[]> =>
  (await features(kit, as, id)).map(({ properties }) => properties);
