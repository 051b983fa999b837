// A finished layer is a table of the REST service at once, for whom its permissions name.

import { expect, test } from 'vitest';
import type { Listener } from '../../../src/pg/driver.ts';
import { publicJwks } from '../../../src/portal/oidc/signing-keys.ts';
import { openRest, type RestClient } from '../../testkit/rest-client.ts';
import { at, collection, onUploads } from './upload-kit.ts';

const TOWNS = collection([
  { properties: { name: 'Zürich', inhabitants: 420_000 }, geometry: at(8.54, 47.37) },
  { properties: { name: 'Bern', inhabitants: 134_000 }, geometry: at(7.45, 46.95) },
]);

onUploads('a finished layer', { engines: ['postgres'] }, (kit) => {
  test('answers on the REST service without anybody telling it and without a restart, until it is deleted', async () => {
    const rest = await openLayers();
    try {
      const upload = await kit().import('ada', [{ name: 'served.geojson', content: TOWNS }]);
      expect(upload.state).toBe('PROCESSED');
      // Nobody tells it but the database, and the time it takes is its own.
      while ((await rest.get('/served?limit=0')).status !== 200) await kit().db.query('select');
      expect(await rest.get('/served?inhabitants=gt.200000&select=name')).toMatchReply({
        status: 200,
        json: [{ name: 'Zürich' }],
      });
      expect(await rest.get('/served?order=name', { accept: 'application/geo+json' })).toMatchReply({
        status: 200,
        json: expect.objectContaining({ type: 'FeatureCollection' }),
      });
      const openapi = JSON.parse(String((await rest.get('/')).body));
      expect(openapi.definitions.served.properties).toHaveProperty('inhabitants');
      const deleted = await kit().portal.as('ada').delete(`/api/v2/resources/${upload.resource_id}/`);
      expect(deleted.status).toBeLessThan(300);
      while ((await rest.get('/served?limit=0')).status !== 404) await kit().db.query('select');
    } finally {
      await rest.close();
    }
  });

  test('is announced by its number when it comes and when it goes, and without one when something is made of it', async () => {
    const heard: string[] = [];
    const until = async (count: number): Promise<void> => {
      while (heard.length < count) await kit().db.query('select');
    };
    let listener: Listener | undefined;
    await new Promise<void>((resolve) => {
      listener = kit().driver.listen('pgrst', (event) => {
        if (event.kind === 'listening') resolve();
        if (event.kind === 'notification') heard.push(event.notification.payload);
      });
    });
    const remove = async (id: number | null): Promise<void> => {
      expect((await kit().portal.as('ada').delete(`/api/v2/resources/${id}/`)).status).toBeLessThan(300);
    };
    try {
      const first = await kit().import('ada', [{ name: 'first.geojson', content: TOWNS }]);
      const [{ oid } = { oid: 0 }] = await kit().db.query<{ oid: number }>(`select 'layers.first'::regclass::oid`);
      await remove(first.resource_id);
      await until(2);
      const second = await kit().import('ada', [{ name: 'second.geojson', content: TOWNS }]);
      await kit().db.script('create view public.seconds as select name from layers.second');
      await remove(second.resource_id);
      await until(4);
      const numbered = `reload schema ${oid}`;
      expect(heard).toEqual([numbered, numbered, expect.stringMatching(/^reload schema \d+$/), 'reload schema']);
    } finally {
      await listener?.close();
    }
  });

  test('is there for whom its permissions name, and a revoked grant is gone with the next request', async () => {
    const rest = await openLayers();
    try {
      const upload = await kit().import('ada', [{ name: 'own.geojson', content: TOWNS }], {
        permissions: JSON.stringify({ users: { bob: ['view_resourcebase'] }, groups: {} }),
      });
      await rest.service.reloadSchema();
      const rows = async (account: 'ada' | 'bob' | 'mia' | undefined): Promise<unknown> => {
        const token = account === undefined ? undefined : await kit().portal.tokenOf(account);
        const reply = await rest.get(
          '/own?select=name&order=name',
          token === undefined ? {} : { authorization: `Bearer ${token}` },
        );
        return JSON.parse(String(reply.body));
      };
      const both = [{ name: 'Bern' }, { name: 'Zürich' }];
      expect(await rows('ada')).toEqual(both);
      expect(await rows('bob')).toEqual(both);
      expect(await rows('mia')).toEqual([]);
      expect(await rows(undefined)).toEqual([]);
      const revoked = await kit()
        .portal.as('ada')
        .put(`/api/v2/resources/${upload.resource_id}/set_perms/`, { users: {}, groups: {} });
      expect(revoked.status).toBeLessThan(300);
      expect(await rows('bob')).toEqual([]);
      expect(await rows('ada')).toEqual(both);
    } finally {
      await rest.close();
    }
  });

  function openLayers(): Promise<RestClient> {
    const settings = {
      'db-schemas': 'layers',
      'db-extra-search-path': 'public',
      'db-anon-role': 'survest_anon',
      'db-channel-enabled': 'true',
      'jwt-secret': publicJwks(kit().portal.keys),
    };
    return openRest(kit().db, settings, () => kit().driver);
  }
});
