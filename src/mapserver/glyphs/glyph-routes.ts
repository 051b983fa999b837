// `/fonts/{stack}/{range}.pbf` and `/sprites/marks…`: what styles need besides tiles, for every client of MapLibre's and Mapbox's styles. The same for
// everybody, so it can be kept by anybody.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { MapContext } from '../map-context.ts';
import { faceOf, type Glyph, makeGlyphs, RANGE, writeGlyphs } from './make-glyphs.ts';
import { spriteIndex, spritePicture } from './make-sprite.ts';

const MAX_STACK = 400;
const LAST_START = 0xff00;
const DAY = 'public, max-age=86400';
/** Ranges kept: most maps need a handful. */
const MAX_KEPT = 64;

export function registerGlyphs(app: FastifyInstance, context: MapContext): void {
  const kept = new Map<string, Promise<readonly Glyph[]>>();
  const glyphsOf = (face: ReturnType<typeof faceOf>, start: number): Promise<readonly Glyph[]> => {
    const key = `${face} ${start}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = makeGlyphs(face, start);
    made.catch(() => kept.delete(key));
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, made);
    return made;
  };

  app.get<{ Params: { readonly stack: string; readonly file: string } }>(
    '/fonts/:stack/:file',
    async (request, reply) => {
      const { stack, file } = request.params;
      const [, first, last] = /^(\d{1,5})-(\d{1,5})\.pbf$/.exec(file) ?? [];
      const start = Number(first);
      const isRange =
        first !== undefined && start % RANGE === 0 && Number(last) === start + RANGE - 1 && start <= LAST_START;
      if (!isRange || stack.length > MAX_STACK)
        return context.answerError(request, reply, {
          kind: 'bad-request',
          detail: 'Glyphs come in ranges of 256: 0-255.pbf, 256-511.pbf, … 65280-65535.pbf.',
        });
      const glyphs = await glyphsOf(faceOf(stack), start);
      return open(reply)
        .type('application/x-protobuf')
        .send(Buffer.from(writeGlyphs(stack, start, glyphs)));
    },
  );

  const pictures = new Map<1 | 2, Promise<Buffer>>();
  app.get<{ Params: { readonly file: string } }>('/sprites/:file', async (request, reply) => {
    const [, double, form] = /^marks(@2x)?\.(json|png)$/.exec(request.params.file) ?? [];
    if (form === undefined) return context.answerError(request, reply, { kind: 'not-found' });
    const ratio = double === undefined ? 1 : 2;
    if (form === 'json')
      return open(reply)
        .type('application/json')
        .send(JSON.stringify(spriteIndex(ratio)));
    const picture = pictures.get(ratio) ?? spritePicture(ratio);
    pictures.set(ratio, picture);
    return open(reply)
      .type('image/png')
      .send(await picture);
  });
}

function open(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', DAY).header('Access-Control-Allow-Origin', '*');
}
