// Services of other people in the catalogue, with MapServer as one: registered, chosen from, asked again, and told about.

import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { makeRemoteFetch } from '../../../src/http/outbound/remote-fetch.ts';
import { unobserved } from '../../../src/kernel/observation.ts';
import { drawDue } from '../../../src/mapserver/thumbnails/thumbnail-job.ts';
import { harvestDue } from '../../../src/portal/remote-services/harvest.ts';
import { thumbnailParts } from '../../../src/server/portal/open-thumbnails.ts';
import { describeNeeding } from '../../testkit/describe-needing.ts';
import { NO_MAPSERVER, startMapServer } from '../../testkit/mapserver.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { decodePicture } from '../mapserver/picture.ts';
import { bodyOf, onCatalogue, scriptAs } from './on-catalogue.ts';

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

  onCatalogue('registered by an administrator', { portal: { remote } }, (portal, blobs) => {
    const path = '/api/v2/remote/services/';
    let made: Reply;
    let id = 0;
    const admin = async () => portal().bearer(await portal().tokenOf('admin'));
    const service = async (): Promise<Service> =>
      bodyOf<{ service: Service }>(await (await admin()).get(`${path}${id}/`)).service;

    /** The layer of a name that the service offers, chosen for everybody. */
    const choose = async (): Promise<string> =>
      bodyOf<{ layers: readonly { layer: string | null }[] }>(
        await (await admin()).post(`${path}${id}/layers/`, { names: ['places'] }),
      ).layers[0]?.layer ?? '';

    // Each test has a service of its own, from which nothing was chosen yet.
    beforeEach(async () => {
      const { host, url } = (await server) ?? { host: '', url: '' };
      if (!internal.includes(host)) internal.push(host);
      made = await (await admin()).post(path, { url, every_hours: 24 });
      expect(made.status, String(made.body)).toBe(201);
      id = bodyOf<{ service: Service }>(made).service.id;
    });
    afterEach(() => portal().db.script('delete from portal.resource; delete from portal_private.remote_service'));

    test('are read, and who may not create content may register none and see none', async () => {
      const { url } = (await server) ?? { url: '' };
      const ada = portal().bearer(await portal().tokenOf('ada'));
      const bob = portal().bearer(await portal().tokenOf('bob'));
      await portal().db.query('delete from portal.group_member where group_id = 3 and account_id = $1', [
        portal().ids.bob,
      ]);
      for (const [who, status] of [
        [portal().visitor, 401],
        [bob, 403],
      ] as const) {
        expect((await who.get(path)).status).toBe(status);
        expect((await who.post(path, { url })).status).toBe(status);
      }
      const { service: told } = bodyOf<{ service: Service }>(made);
      expect(told).toMatchObject({
        title: 'Places of others',
        kind: 'wms',
        health: 'reachable',
        every_hours: 24,
        error: null,
        layers: 0,
      });
      expect(told.offers.find(({ name }) => name === 'places')).toMatchObject({ layer: null });
      expect((await bob.get(`${path}${id}/`)).status).toBe(403);
      expect((await bob.post(`${path}${id}/harvest/`)).status).toBe(403);
      expect((await bob.post(`${path}${id}/layers/`, { names: ['places'] })).status).toBe(403);
      expect((await bob.delete(`${path}${id}/`)).status).toBe(403);
      // What is not theirs is not there for others.
      expect((await ada.get(`${path}${id}/`)).status).toBe(404);
      expect((await ada.patch(`${path}${id}/`, { every_hours: 1 })).status).toBe(404);
      expect((await ada.post(`${path}${id}/harvest/`)).status).toBe(404);
      expect(bodyOf(await ada.post(`${path}${id}/layers/`, { names: ['places'] }))).toEqual({
        layers: [{ name: 'places', layer: null, document: null }],
      });
      expect((await ada.delete(`${path}${id}/`)).status).toBe(404);
      expect(bodyOf(await ada.get(path))).toEqual({ services: [] });
    }, 60_000);

    test('who may create content registers services in their own name, the same address too, and owns what is chosen', async () => {
      const { url } = (await server) ?? { url: '' };
      const ada = portal().bearer(await portal().tokenOf('ada'));
      const made = await ada.post(path, { url: `${url}?service=WFS` });
      expect(made.status, String(made.body)).toBe(201);
      const { service: own } = bodyOf<{ service: Service }>(made);
      expect(own).toMatchObject({ kind: 'wfs', owner: 'ada' });
      expect((await ada.post(path, { url })).status).toBe(201);
      expect(await ada.post(path, { url })).toMatchReply({
        status: 400,
        json: { url: ['You have registered this service already.'] },
      });
      const mia = portal().bearer(await portal().tokenOf('mia'));
      expect(bodyOf(await mia.get(path))).toEqual({ services: [] });
      expect(bodyOf<{ services: object[] }>(await ada.get(path)).services).toHaveLength(2);
      expect(bodyOf<{ services: object[] }>(await (await admin()).get(path)).services).toHaveLength(3);
      const name = own.offers[0]?.name ?? '';
      const { layers } = bodyOf<{ layers: readonly { layer: string }[] }>(
        await ada.post(`${path}${own.id}/layers/`, { names: [name] }),
      );
      const read = bodyOf<{ layer: Record<string, unknown> }>(
        await ada.get(`/api/v2/layers/${layers[0]?.layer}/`),
      ).layer;
      expect(read).toMatchObject({ owner: { username: 'ada' }, remote: { kind: 'wfs', name, version: '2.0.0' } });
      // It is nobody else's to see, until it is shared.
      expect((await portal().visitor.get(`/api/v2/layers/${layers[0]?.layer}/`)).status).toBe(404);
      expect((await mia.get(`/api/v2/layers/${layers[0]?.layer}/`)).status).toBe(404);
      // A record that is somebody else's is not made a layer of a service.
      await expect(
        scriptAs(portal(), 'mia', `select portal.bind_remote(${layers[0]?.layer}, ${own.id}, '${name}')`),
      ).rejects.toThrow();
      await portal().db.script('rollback');
      for (const { id: one } of bodyOf<{ services: Service[] }>(await ada.get(path)).services)
        expect((await ada.delete(`${path}${one}/`)).status).toBe(204);
      expect((await ada.delete(`/api/v2/layers/${layers[0]?.layer}/`)).status).toBe(204);
    }, 60_000);

    test('what no map can show is listed with the reason, and chosen as a document where it links to something', async () => {
      const { db } = portal();
      const offers = [
        {
          name: 'file',
          title: 'File',
          abstract: 'Of 2024.',
          attribution: 'Survey',
          keywords: ['levels'],
          bbox: [1, 2, 3, 4],
          layer: null,
          reason: 'files',
          page: 'https://example.org/a.zip',
          document: { extension: 'zip', type: 'archive' },
        },
        { name: 'nothing', title: 'Nothing', abstract: '', layer: null, reason: 'no-links', page: null },
        { name: 'odd', title: 'Odd', abstract: '', layer: null, reason: 'page', page: 'javascript:alert(1)' },
      ];
      await db.query('update portal_private.remote_service set offers = offers || $1::jsonb', [JSON.stringify(offers)]);
      const who = await admin();
      const file = {
        name: 'file',
        title: 'File',
        abstract: 'Of 2024.',
        reason: 'files',
        page: 'https://example.org/a.zip',
      };
      expect((await service()).offers.slice(-3)).toMatchObject([
        { ...file, becomes: 'document', layer: null, document: null },
        { name: 'nothing', reason: 'no-links', becomes: null },
        { name: 'odd', becomes: null },
      ]);
      const add = async (): Promise<readonly { name: string; layer: string | null; document: string | null }[]> =>
        bodyOf<{ layers: readonly { name: string; layer: string | null; document: string | null }[] }>(
          await who.post(`${path}${id}/layers/`, { names: ['nothing', 'odd', 'file'] }),
        ).layers;
      const [made, ...none] = await add();
      expect(none).toEqual(['nothing', 'odd'].map((name) => ({ name, layer: null, document: null })));
      expect(made).toEqual({ name: 'file', layer: null, document: expect.stringMatching(/^\d+$/) });
      // Chosen again it is the same one.
      expect((await add())[0]).toEqual(made);
      const pk = made?.document ?? '';
      expect((await service()).offers.at(-3)).toMatchObject({ layer: null, document: pk });
      const read = async () =>
        bodyOf<{ document: Record<string, unknown> }>(await who.get(`/api/v2/documents/${pk}/`)).document;
      expect(await read()).toMatchObject({
        title: 'File',
        abstract: 'Of 2024.',
        attribution: 'Survey',
        href: 'https://example.org/a.zip',
        extension: 'zip',
        doc_type: 'archive',
        owner: { username: 'admin' },
        keywords: [{ name: 'levels' }],
        ll_bbox_polygon: { type: 'Polygon' },
      });
      // Its address follows the service, its words do not; one that is offered no more is told of.
      const harvest = (list: readonly object[]) =>
        db.query('select portal.note_harvest($1::integer, $2::jsonb, null)', [
          id,
          JSON.stringify({ title: '', abstract: '', offers: list }),
        ]);
      const [before] = await db.query<{ offers: readonly object[] }>(
        'select offers from portal_private.remote_service where id = $1',
        [id],
      );
      await harvest([{ ...offers[0], title: 'Renamed', page: 'https://example.org/b.zip' }]);
      expect(await read()).toMatchObject({ title: 'File', href: 'https://example.org/b.zip' });
      expect(await service()).toMatchObject({ layers: 1, gone: 0 });
      await harvest([]);
      expect(await read()).toMatchObject({ href: 'https://example.org/b.zip' });
      expect(await service()).toMatchObject({ layers: 1, gone: 1 });
      await harvest(before?.offers ?? []);
      expect(await service()).toMatchObject({ layers: 1, gone: 0 });
      // Of a record that is somebody else's nobody makes such a document.
      await expect(scriptAs(portal(), 'mia', `select portal.bind_remote(${pk}, ${id}, 'file')`)).rejects.toThrow();
      await db.script('rollback');
      expect((await who.delete(`/api/v2/documents/${pk}/`)).status).toBe(204);
    }, 60_000);

    test('a chosen layer is a record of the catalogue, once, with permissions like any other', async () => {
      const who = await admin();
      const add = async (): Promise<readonly { readonly name: string; readonly layer: string | null }[]> =>
        bodyOf<{ layers: readonly { name: string; layer: string | null }[] }>(
          await who.post(`${path}${id}/layers/`, {
            names: ['places', 'nowhere'],
            permissions: { users: {}, groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] } },
          }),
        ).layers;
      const wrong = { names: ['places'], permissions: { users: { 'nobody-at-all': ['view_resourcebase'] } } };
      expect(await who.post(`${path}${id}/layers/`, wrong)).toMatchReply({
        status: 400,
        json: { users: ['unknown user "nobody-at-all"'] },
      });
      const [nowhere, places] = await add();
      expect(nowhere).toEqual({ name: 'nowhere', layer: null, document: null });
      const layer = places?.layer ?? '';
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

    test('a chosen layer has a picture, which its service draws', async () => {
      const layer = await choose();
      const errors: unknown[] = [];
      const note = (error: unknown): void => void errors.push(error);
      await drawDue(thumbnailParts(portal().callerDb, blobs, unobserved, note, remote), 50);
      expect(errors).toEqual([]);
      const [drawn] = await portal().db.query<{ blob: string }>(
        'select blob from portal.thumbnail where resource_id = $1',
        [layer],
      );
      const stored = await blobs.open(drawn?.blob ?? '');
      if (!stored.ok) throw new Error('no picture');
      const picture = await decodePicture(Buffer.concat(await stored.value.stream.toArray()));
      expect(picture.count([200, 0, 0])).toBeGreaterThan(50);
    }, 60_000);

    test('what is due is asked again once, and a service that is away is told of while its layers stay', async () => {
      const { db } = portal();
      await choose();
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
      const layer = await choose();
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
