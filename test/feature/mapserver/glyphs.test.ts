// Glyphs and sprites: what styles name beside their tiles can be loaded, and is what map viewers read.

import { PbfReader } from 'pbf';
import { beforeAll, expect, test } from 'vitest';
import { ICON_NAMES } from '../../../src/geo/style/icons.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, onLayers } from './layer-kit.ts';
import { pictureOf } from './picture.ts';

type Read = {
  code: number;
  bitmap: Uint8Array;
  width: number;
  height: number;
  left: number;
  top: number;
  advance: number;
};

/** As map viewers read it. */
function glyphsOf(reply: Reply): { name: string; range: string; glyphs: Map<number, Read> } {
  if (reply.status !== 200) throw new Error(`${reply.status} ${textOf(reply.body)}`);
  const found = { name: '', range: '', glyphs: new Map<number, Read>() };
  new PbfReader(reply.body as Uint8Array).readFields((tag, _, pbf) => {
    if (tag !== 1) return;
    pbf.readMessage((inner, stack, message) => {
      if (inner === 1) stack.name = message.readString();
      else if (inner === 2) stack.range = message.readString();
      else if (inner === 3) {
        const glyph: Read = { code: 0, bitmap: new Uint8Array(0), width: 0, height: 0, left: 0, top: 0, advance: 0 };
        message.readMessage((field, one, value) => {
          if (field === 1) one.code = value.readVarint();
          else if (field === 2) one.bitmap = value.readBytes();
          else if (field === 3) one.width = value.readVarint();
          else if (field === 4) one.height = value.readVarint();
          else if (field === 5) one.left = value.readSVarint();
          else if (field === 6) one.top = value.readSVarint();
          else if (field === 7) one.advance = value.readVarint();
        }, glyph);
        stack.glyphs.set(glyph.code, glyph);
      }
    }, found);
  }, undefined);
  return found;
}

onLayers('glyphs and sprites', {}, (kit) => {
  const get = (path: string): Promise<Reply> => kit().portal.visitor.get(path);
  beforeAll(() => makeLayer(kit(), { name: 'towns', columns: 'name text', geometry: 'Point', rows: 'select 1' }));

  test('a range of a font has a signed distance field for each of its letters', async () => {
    const { name, range, glyphs } = glyphsOf(await get('/fonts/Noto%20Sans%20Regular/0-255.pbf'));
    expect([name, range]).toEqual(['Noto Sans Regular', '0-255']);
    for (const letter of 'AagÄß|') {
      const glyph = glyphs.get(letter.codePointAt(0) ?? 0);
      if (glyph === undefined) throw new Error(`no ${letter}`);
      expect(glyph.bitmap).toHaveLength((glyph.width + 6) * (glyph.height + 6));
      // Inside is above the edge, and the border is outside.
      expect(Math.max(...glyph.bitmap)).toBeGreaterThan(191);
      expect(glyph.bitmap[0]).toBeLessThan(191);
      expect(glyph.advance).toBeGreaterThan(4);
    }
    const [low, high] = [glyphs.get(0x67), glyphs.get(0x41)]; // g reaches below the line, A does not
    expect((high?.height ?? 0) - (high?.top ?? 0)).toBeLessThanOrEqual(27 + 18);
    expect((low?.top ?? 0) - (low?.height ?? 0)).toBeLessThan((high?.top ?? 0) - (high?.height ?? 0));
    expect(glyphs.get(0x20)).toMatchObject({ width: 0, height: 0, advance: 8 });
    // Nothing stands for characters that the font does not have.
    expect(glyphsOf(await get('/fonts/Any/19968-20223.pbf')).glyphs.size).toBe(0);
  });

  test('any stack is answered, by the weight and slant that its name says', async () => {
    const width = async (stack: string): Promise<number> =>
      glyphsOf(await get(`/fonts/${encodeURIComponent(stack)}/0-255.pbf`)).glyphs.get(0x6d)?.advance ?? 0;
    expect(await width('Open Sans Bold,Arial Unicode MS Bold')).toBeGreaterThan(await width('Open Sans Regular'));
    expect(await width('Nobody has this')).toBe(await width('Noto Sans Regular'));
  });

  test.each(['1-256.pbf', '0-254.pbf', '65536-65791.pbf', '0-255.json', 'a.pbf'])('%s is no range', async (file) => {
    expect(await get(`/fonts/Noto/${file}`)).toMatchReply({ status: 400 });
  });

  test('the sprite has the marks of styles, also for fine screens', async () => {
    for (const [suffix, ratio] of [
      ['', 1],
      ['@2x', 2],
    ] as const) {
      const index = bodyOf<Record<string, { x: number; y: number; width: number; height: number; pixelRatio: number }>>(
        await get(`/sprites/marks${suffix}.json`),
      );
      expect(Object.keys(index)).toEqual(['circle', 'square', 'triangle', 'star', 'cross', 'x', ...ICON_NAMES]);
      const picture = await pictureOf(await get(`/sprites/marks${suffix}.png`));
      for (const [mark, { x, y, width, height, pixelRatio }] of Object.entries(index)) {
        // Some icons have a hole in their middle: something of each is inside.
        const isIcon = ICON_NAMES.some((name) => name === mark);
        const inside = Array.from(
          { length: width * height },
          (_, i) => picture.at(x + (i % width), y + Math.floor(i / width))[3],
        ).filter((alpha) => alpha > 191);
        expect([mark, pixelRatio, inside.length > width]).toEqual([mark, isIcon ? 2 : ratio, true]);
        if (!isIcon) expect(picture.at(x + width / 2, y + height / 2)[3]).toBeGreaterThan(191);
        expect(picture.at(x, y)[3]).toBeLessThan(191);
      }
    }
    expect(await get('/sprites/others.json')).toMatchReply({ status: 404 });
  });

  test('styles name glyphs and sprite by addresses that can be loaded from anywhere', async () => {
    const style = bodyOf<{ glyphs: string; sprite: string }>(await get('/styles/towns/default.json'));
    const glyphs = style.glyphs.replace('{fontstack}', 'Noto%20Sans%20Regular').replace('{range}', '0-255');
    const reply = await get(new URL(glyphs).pathname);
    expect(reply).toMatchReply({ status: 200, headers: { 'access-control-allow-origin': '*' } });
    expect(await get(`${new URL(style.sprite).pathname}.json`)).toMatchReply({ status: 200 });
  });
});
