// Services of other people in the catalogue, with MapServer as one: registered, chosen from, asked again, and told about.

import { afterAll, expect, test } from 'vitest';
import { makeRemoteFetch } from '../../../src/http/remote/remote-fetch.ts';
import { harvestDue } from '../../../src/portal/remote/harvest.ts';
import { describeNeeding } from '../../testkit/describe-needing.ts';
import { NO_MAPSERVER, startMapServer } from '../../testkit/mapserver.ts';
import { bodyOf, onCatalogue } from './on-catalogue.ts';

type Service = {
  readonly id: number;
  readonly title: string;
  readonly health: string;
  readonly error: string | null;
  readonly harvested: string;
  readonly layers: number;
  readonly gone: number;
  readonly offers: readonly { readonly name: string; readonly layer: string | null }[];
};

describeNeeding(NO_MAPSERVER, 'services of others', () => {
  const internal: string[] = [];
  const remote = makeRemoteFetch({ hosts: { allowed: [], internal } });
  const server = NO_MAPSERVER === undefined ? startMapServer() : undefined;
  afterAll(async () => (await server)?.close());

  onCatalogue('registered by an administrator', { portal: { remote } }, (portal) => {
    const path = '/api/v2/remote/services/';
    let id = 0;
    let layer = '';
    const admin = async () => portal().bearer(await portal().tokenOf('admin'));
    const service = async (): Promise<Service> =>
      bodyOf<{ service: Service }>(await (await admin()).get(`${path}${id}/`)).service;

    test('are read, and nobody else may register any or see what is registered', async () => {
      const { host, url } = (await server) ?? { host: '', url: '' };
      if (!internal.includes(host)) internal.push(host);
      const ada = portal().bearer(await portal().tokenOf('ada'));
      for (const [who, status] of [
        [portal().visitor, 401],
        [ada, 403],
      ] as const) {
        expect((await who.get(path)).status).toBe(status);
        expect((await who.post(path, { url })).status).toBe(status);
      }
      const made = await (await admin()).post(path, { url, every_hours: 24 });
      expect(made.status, String(made.body)).toBe(201);
      const { service: told } = bodyOf<{ service: Service }>(made);
      id = told.id;
      expect(told).toMatchObject({
        title: 'Places of others',
        kind: 'wms',
        health: 'reachable',
        every_hours: 24,
        error: null,
        layers: 0,
      });
      expect(told.offers.find(({ name }) => name === 'places')).toMatchObject({ layer: null });
      expect((await ada.get(`${path}${id}/`)).status).toBe(403);
      expect((await ada.post(`${path}${id}/harvest/`)).status).toBe(403);
      expect((await ada.post(`${path}${id}/layers/`, { names: ['places'] })).status).toBe(403);
      expect((await ada.delete(`${path}${id}/`)).status).toBe(403);
    }, 60_000);

    test('a chosen layer is a record of the catalogue, once, with permissions like any other', async () => {
      const who = await admin();
      const add = async (): Promise<readonly { readonly name: string; readonly layer: string | null }[]> =>
        bodyOf<{ layers: readonly { name: string; layer: string | null }[] }>(
          await who.post(`${path}${id}/layers/`, { names: ['places', 'nowhere'] }),
        ).layers;
      const [nowhere, places] = await add();
      expect(nowhere).toEqual({ name: 'nowhere', layer: null });
      layer = places?.layer ?? '';
      expect(await add()).toEqual([nowhere, places]);
      const read = bodyOf<{ layer: Record<string, unknown> }>(await who.get(`/api/v2/layers/${layer}/`)).layer;
      expect(read).toMatchObject({
        title: 'Places',
        abstract: 'Two points.',
        attribution: 'Survey of places',
        subtype: 'remote',
        remote: { kind: 'wms', name: 'places', bbox: [0, 0, 20, 20] },
      });
      expect(read['ll_bbox_polygon']).toMatchObject({ type: 'Polygon' });
      await who.put(`/api/v2/resources/${layer}/set_perms/`, { users: {}, groups: {} });
      expect((await portal().visitor.get(`/api/v2/layers/${layer}/`)).status).toBe(404);
      const found = bodyOf<{ total: number }>(await who.get('/api/v2/layers/?filter{subtype}=remote'));
      expect(found.total).toBe(1);
    }, 60_000);

    test('what is due is asked again once, and a service that is away is told of while its layers stay', async () => {
      const { db } = portal();
      const due = `update portal_private.remote_service set tried = now() - interval '25 hours'`;
      expect(await harvestDue(portal().callerDb, remote)).toBe(0);
      await db.query(due);
      await db.query(`update portal_private.remote_service set offers = '[]'`);
      await db.query(`update portal_private.remote_layer set is_gone = true`);
      expect(await harvestDue(portal().callerDb, remote)).toBe(1);
      expect(await service()).toMatchObject({ health: 'reachable', layers: 1, gone: 0 });
      await db.query(due);
      const hosts = internal.splice(0);
      expect(await harvestDue(portal().callerDb, remote)).toBe(1);
      const failing = await service();
      expect(failing).toMatchObject({ health: 'failing', layers: 1, gone: 0 });
      expect(failing.error).toContain('remote-hosts');
      expect(failing.offers.length).toBeGreaterThan(0);
      internal.push(...hosts);
      const again = await (await admin()).post(`${path}${id}/harvest/`);
      expect(bodyOf<{ service: Service }>(again).service).toMatchObject({ health: 'reachable', error: null });
    }, 60_000);

    test('the timetable is changed, and a service that is dropped leaves its layers', async () => {
      const who = await admin();
      expect((await who.patch(`${path}${id}/`, { every_hours: 0 })).status).toBe(400);
      expect(
        bodyOf<{ service: object }>(await who.patch(`${path}${id}/`, { every_hours: null })).service,
      ).toMatchObject({ every_hours: null });
      expect((await who.delete(`${path}${id}/`)).status).toBe(204);
      expect((await who.get(`${path}${id}/`)).status).toBe(404);
      expect((await who.get(`/api/v2/layers/${layer}/`)).status).toBe(200);
      expect((await who.get(path)).status).toBe(200);
    }, 60_000);
  });
});
