// Stored cross-site scripting: every text that somebody can write, in every record, is markup that would run, and every page is opened.
// Which fields there are, the records say themselves.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, openContext, signIn, until } from './portal-program.ts';
import type { Stage } from './stage.ts';

const RUN = 'window.injected=1';
const MARKUP = `x"'><img src=x onerror="${RUN}"><svg onload="${RUN}"></svg><script>${RUN}</script>\${${RUN}}{{${RUN}}}`;
const ADDRESS = `javascript:${RUN}//https://example.org/`;
const COLLECTIONS = ['layers', 'maps', 'documents', 'geostories', 'geoapps'] as const;
const ENVELOPES: Readonly<Record<string, string>> = { geostories: 'geostory' };

type Found = {
  readonly injected: boolean;
  readonly links: readonly string[];
  readonly images: number;
  readonly isShown: boolean;
};

/** In the page: did anything run, and would anything run at a click? */
const LOOK = `({
  injected: 'injected' in window,
  links: [...document.querySelectorAll('[href], [src], [action]')]
    .flatMap((element) => ['href', 'src', 'action'].map((name) => element.getAttribute(name) ?? ''))
    .filter((target) => /^\\s*javascript:/i.test(target)),
  images: document.querySelectorAll('img[onerror], svg[onload]').length,
  isShown: document.body.innerText.includes('onerror='),
})`;

export function injectionSteps(stage: () => Stage): void {
  let page: Page;
  const targets = new Map<string, string>();
  let layerName = '';
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });
  afterAll(() => page?.context().close());

  test('markup is taken in every field that takes text', async () => {
    const { portal } = stage();
    const form = new FormData();
    const features = [
      {
        type: 'Feature',
        properties: { name: MARKUP, [MARKUP]: MARKUP },
        geometry: { type: 'Point', coordinates: [10, 50] },
      },
    ];
    form.append('base_file', new Blob([JSON.stringify({ type: 'FeatureCollection', features })]), 'injected.geojson');
    form.append('layer_title', MARKUP);
    await portal.api('admin', 'POST', '/api/v2/uploads/upload/', form);
    await until(async () => {
      const { json } = await portal.api('admin', 'GET', '/api/v2/layers/?filter{name.istartswith}=injected');
      const [made] = (json as { layers: readonly { pk: string; name: string }[] }).layers;
      if (made !== undefined) targets.set('layers', made.pk);
      layerName = made?.name ?? '';
      return made !== undefined;
    });
    const made = async (collection: string, body: unknown): Promise<void> => {
      const { json } = await portal.api('admin', 'POST', `/api/v2/${collection}/`, body);
      const record = (json as Record<string, { pk: string }>)[ENVELOPES[collection] ?? collection.slice(0, -1)];
      targets.set(collection, record?.pk ?? `none: ${JSON.stringify(json)}`);
    };
    await made('maps', { title: MARKUP, zoom: 1, projection: 'EPSG:3857', center_x: 0, center_y: 0 });
    await made('documents', { title: MARKUP, doc_url: 'https://example.org/a.pdf' });
    await made('geostories', {
      title: MARKUP,
      name: 'injected-story',
      data: { sections: [{ title: MARKUP, type: 'paragraph', contents: [{ type: 'text', html: MARKUP }] }] },
    });
    await made('geoapps', { title: MARKUP, name: 'injected-app', data: { widgets: [{ title: MARKUP }] } });

    let written = 0;
    for (const collection of COLLECTIONS) {
      const path = `/api/v2/${collection}/${targets.get(collection)}/`;
      const { json } = await portal.api('admin', 'GET', `${path}?include[]=*`);
      const record = Object.values(json as Record<string, Record<string, unknown>>)[0] ?? {};
      for (const [field, value] of Object.entries(record)) {
        if (typeof value !== 'string' && value !== null) continue;
        for (const text of [MARKUP, ADDRESS]) {
          const { status } = await portal.api('admin', 'PATCH', path, { [field]: text });
          expect(status, field).toBeLessThan(500);
          if (status === 200) {
            written += 1;
            break;
          }
        }
      }
      await portal.api('admin', 'PATCH', path, { keywords: [MARKUP.slice(0, 90)] });
    }
    await portal.api('admin', 'PATCH', '/api/v2/users/1/', {
      first_name: '<img src=x onerror=alert(1)>',
      last_name: MARKUP.slice(0, 150),
    });
    await portal.api('admin', 'POST', '/api/v2/groups/', { slug: 'injected', title: MARKUP, description: MARKUP });
    expect(written).toBeGreaterThan(30);
  }, 180_000);

  test('runs on no page', async () => {
    const ran: string[] = [];
    let shown = 0;
    const of = (collection: string): string => targets.get(collection) ?? '';
    const wms = `/ows?service=WMS&version=1.3.0&crs=EPSG:4326&bbox=49,9,51,11&width=11&height=11&layers=${layerName}&query_layers=${layerName}&styles=&format=image/png`;
    for (const address of [
      '/',
      `/?search=${encodeURIComponent(MARKUP)}`,
      `/layers/${of('layers')}`,
      `/layers/${of('layers')}/embed`,
      `/viewer/${of('maps')}`,
      `/viewer?layer=${of('layers')}`,
      `/maps/${of('maps')}`,
      `/documents/${of('documents')}`,
      `/stories/${of('geostories')}`,
      `/stories/${of('geostories')}/edit`,
      `/apps/${of('geoapps')}`,
      '/account',
      '/admin',
      '/admin/groups',
      '/console',
      `/${encodeURIComponent(MARKUP)}`,
      '/ogc/collections?f=html',
      `/ogc/collections/${layerName}?f=html`,
      `/ogc/collections/${layerName}/items?f=html`,
      `/ogc/collections/${layerName}/items/1?f=html`,
      `/ogc/collections/${encodeURIComponent(MARKUP)}?f=html`,
      `/records/collections/catalogue/items?f=html`,
      `${wms}&request=GetFeatureInfo&info_format=text/html&i=5&j=5`,
    ]) {
      await page.goto(address);
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
      const found = (await page.evaluate(LOOK)) as Found;
      shown += found.isShown ? 1 : 0;
      if (found.injected || found.links.length > 0 || found.images > 0)
        ran.push(`${address}: ${JSON.stringify(found)}`);
    }
    expect(ran).toEqual([]);
    // As text, where it belongs.
    expect(shown).toBeGreaterThan(8);
  }, 180_000);
}
