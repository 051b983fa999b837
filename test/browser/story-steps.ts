// What stories have besides text and pictures: a template to begin with, videos, pages of allowed sites, and a map that moves as one reads.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serious } from './axe.ts';
import { ADMIN_PASSWORD, changeLook, openContext, signIn, watchComplaints } from './portal-program.ts';
import { picture, type Stage } from './stage.ts';

/** `cities`: a layer that is seen on a map of the world. `host`: the site whose pages may be shown. */
export type StoryStage = Stage & { readonly cities: string; readonly host: string };

export function storySteps(stage: () => StoryStage): void {
  let page: Page;
  let complaints: string[];
  const made: string[] = [];
  beforeAll(async () => {
    const { browser, portal, host } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    // Nothing leaves the machine: the site is played here.
    await page.route(`https://${host}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Film</title><p>The film itself</p>' }),
    );
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });
  afterAll(async () => {
    for (const path of made) await stage().portal.api('admin', 'DELETE', path);
    await page?.context().close();
  });

  const section = (n: number) => page.getByRole('group', { name: `Section ${n}`, exact: true });
  const save = async (title: string): Promise<void> => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    made.push(`/api/v2/geostories/${new URL(page.url()).pathname.split('/').at(-1)}/`);
  };

  test('a template lays out the sections, and is offered only as long as nothing is written', async () => {
    await page.goto('/stories/new');
    await page.getByLabel('Start from a template').selectOption('tour');
    await section(5).getByLabel('Title').waitFor();
    expect(await section(2).getByLabel('Title').inputValue()).toBe('A place');
    expect(await page.getByLabel('Start from a template').count()).toBe(0);
    await page.getByLabel('Title').first().fill('Begun from a template');
    expect(await serious(page, 'story from a template')).toEqual([]);
    await picture(page, 'story-template');
    await save('Begun from a template');
    await expect
      .poll(() => page.locator('.story-text h2').allTextContents())
      .toEqual(['Title', 'A place', 'A place', 'A place', 'Conclusion']);
  });

  test('a video of the portal and a page of an allowed site are shown, and a page of any other is a link', async () => {
    const { portal, host } = stage();
    const form = new FormData();
    form.append('title', 'Batch over the river');
    // As much of a film as a file needs to be known as one.
    form.append(
      'doc_file',
      new Blob([Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex')]),
      'river.mp4',
    );
    const added = await portal.api('admin', 'POST', '/api/v2/documents/', form);
    expect(added.status).toBe(201);
    const { pk } = (added.json as { readonly document: { readonly pk: string } }).document;
    made.push(`/api/v2/documents/${pk}/`);
    await page.goto('/stories/new');
    await page.getByLabel('Title').first().fill('Moving pictures');
    await section(1).getByLabel('Image or map').selectOption('video');
    await page.getByRole('button', { name: 'Add a section' }).click();
    await section(2).getByLabel('Image or map').selectOption('embed');
    await section(2).getByLabel('Address to embed').fill(`https://${host}/film`);
    await section(2).getByLabel('Image description').fill('The film');
    await page.getByRole('button', { name: 'Add a section' }).click();
    await section(3).getByLabel('Image or map').selectOption('embed');
    await section(3).getByLabel('Address to embed').fill('https://elsewhere.example/film');
    await section(3).getByLabel('Image description').fill('Another film');
    await save('Moving pictures');
    const video = page.getByLabel('Batch over the river');
    await video.waitFor();
    expect(await video.getAttribute('src')).toBe(`/documents/${pk}/view`);
    const frame = page.locator('iframe[title="The film"]');
    await frame.scrollIntoViewIfNeeded();
    await frame.contentFrame().getByText('The film itself').waitFor();
    await page.getByText('Pages of elsewhere.example cannot be embedded here.').waitFor();
    expect(await page.getByRole('link', { name: 'Another film' }).getAttribute('href')).toBe(
      'https://elsewhere.example/film',
    );
    expect(await serious(page, 'story with video and frame')).toEqual([]);
    await picture(page, 'story-media');
  });

  test('sections over one layer share a map, which is where the section that is read wants it', async () => {
    const { portal, cities } = stage();
    const at = (zoom: number, lng: number, lat: number): object => ({
      kind: 'layer',
      layer: Number(cities),
      view: { center: [lng, lat], zoom },
    });
    const sections = [
      { id: 's1', title: 'The world', text: 'All of it.', layout: 'right', media: at(1, 0, 20) },
      { id: 's2', title: 'Tokyo', text: 'From near.', layout: 'right', media: at(9, 139.7, 35.7) },
      { id: 's3', title: 'Cairo', text: 'From afar.', layout: 'right', media: at(5, 31.2, 30) },
    ];
    const added = await portal.api('admin', 'POST', '/api/v2/geostories/', {
      name: 'tour',
      title: 'A tour',
      data: { type: 'survest-story', version: 1, sections },
    });
    expect(added.status).toBe(201);
    const { pk } = (added.json as { readonly geostory: { readonly pk: string } }).geostory;
    made.push(`/api/v2/geostories/${pk}/`);
    for (const look of [{ small: true }, { phone: true }]) {
      await changeLook(page, look);
      await page.goto(`/apps/preview/${pk}`);
      const tour = page.locator('.story-tour');
      const scale = async (): Promise<number> => {
        const [, n = '', unit = ''] =
          /([\d.]+)\s*(\w+)/.exec((await tour.locator('.maplibregl-ctrl-scale').textContent()) ?? '') ?? [];
        return Number(n) * (unit === 'km' ? 1000 : 1);
      };
      const read = (id: string): Promise<void> =>
        page.locator(`#${id}`).evaluate((step) => step.scrollIntoView({ block: 'center' }));
      await tour.locator('.map-view[data-idle]').waitFor({ timeout: 60_000 });
      expect(await tour.locator('.map-view').count(), 'one map for all').toBe(1);
      await read('s1');
      await expect.poll(scale).toBeGreaterThan(500_000);
      await read('s2');
      await page.locator('#s2.here').waitFor();
      await expect.poll(scale).toBeLessThan(50_000);
      await picture(page, look.phone === true ? 'story-tour-phone' : 'story-tour');
      await read('s3');
      await expect.poll(scale).toBeGreaterThan(50_000);
      await read('s1');
      await expect.poll(scale).toBeGreaterThan(500_000);
    }
    expect(await serious(page, 'story with a tour')).toEqual([]);
    await changeLook(page, { small: true });
  });

  test('no story threw anything, and none wanted what its content policy forbids', () => {
    expect(complaints).toEqual([]);
  });
}
