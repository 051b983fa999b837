// A range of 256 characters of a font → glyphs as map viewers load them (`{range}.pbf`): signed distance fields of 24 pixels with a border of
// three, in Protocol Buffers. What the font has no character for is left out, and the viewer draws nothing or its own.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { PbfWriter } from 'pbf';
import { inSlices, type Stage } from '../../kernel/in-slices.ts';
import { fontCharacters } from './font-characters.ts';
import { signedDistance } from './signed-distance.ts';

export type Face = 'Regular' | 'Bold' | 'Italic' | 'Bold Italic';

const FILES: Readonly<Record<Face, string>> = {
  Regular: 'DejaVuSans',
  Bold: 'DejaVuSans-Bold',
  Italic: 'DejaVuSans-Oblique',
  'Bold Italic': 'DejaVuSans-BoldOblique',
};

export const RANGE = 256;
const SIZE = 24;
const BORDER = 3;
/** Where viewers expect the top of a line above its baseline. */
const LINE_TOP = 26;
/** Room for the widest glyph of the font at this size. */
const ROOM = 96;

type LoadedFace = { readonly family: string; readonly has: (code: number) => boolean };

const faces = new Map<Face, LoadedFace>();

/** Each under a family of its own, so that no other font of the machine can stand in for it. */
function loadFace(face: Face): LoadedFace {
  const known = faces.get(face);
  if (known !== undefined) return known;
  const path = createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${FILES[face]}.ttf`);
  const family = `Survest Glyphs ${face}`;
  GlobalFonts.registerFromPath(path, family);
  const loaded = { family, has: fontCharacters(readFileSync(path)) };
  faces.set(face, loaded);
  return loaded;
}

/** The family of a stack's first font does not matter: there is one. Its weight and slant do. */
export function faceOf(stack: string): Face {
  const isBold = /bold|black|heavy|semibold|medium/i.test(stack);
  const isItalic = /italic|oblique/i.test(stack);
  if (isBold) return isItalic ? 'Bold Italic' : 'Bold';
  return isItalic ? 'Italic' : 'Regular';
}

export type Glyph = {
  readonly code: number;
  readonly bitmap: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly advance: number;
};

export function makeGlyphs(face: Face, start: number): Promise<readonly Glyph[]> {
  return inSlices(drawGlyphs(face, start));
}

function* drawGlyphs(face: Face, start: number): Stage<readonly Glyph[]> {
  const { family, has } = loadFace(face);
  const canvas = createCanvas(ROOM, ROOM);
  const context = canvas.getContext('2d');
  context.font = `${SIZE}px "${family}"`;
  context.textBaseline = 'alphabetic';
  const glyphs: Glyph[] = [];
  for (let code = start; code < start + RANGE; code++) {
    // Halves of pairs are no characters.
    if ((code >= 0xd800 && code <= 0xdfff) || !has(code)) continue;
    const text = String.fromCodePoint(code);
    const measured = context.measureText(text);
    const left = Math.floor(-measured.actualBoundingBoxLeft);
    const ascent = Math.ceil(measured.actualBoundingBoxAscent);
    const width = Math.max(0, Math.min(ROOM - 2 * BORDER, Math.ceil(measured.actualBoundingBoxRight) - left));
    const height = Math.max(0, Math.min(ROOM - 2 * BORDER, ascent + Math.ceil(measured.actualBoundingBoxDescent)));
    const advance = Math.round(measured.width);
    if (width === 0 || height === 0) {
      glyphs.push({ code, bitmap: new Uint8Array(0), width: 0, height: 0, left: 0, top: 0, advance });
      continue;
    }
    const [across, down] = [width + 2 * BORDER, height + 2 * BORDER];
    context.clearRect(0, 0, ROOM, ROOM);
    context.fillText(text, BORDER - left, BORDER + ascent);
    const { data } = context.getImageData(0, 0, across, down);
    const coverage = Uint8Array.from({ length: across * down }, (_, i) => data[i * 4 + 3] ?? 0);
    const bitmap = signedDistance(coverage, across, down);
    glyphs.push({ code, bitmap, width, height, left, top: ascent - LINE_TOP, advance });
    yield;
  }
  return glyphs;
}

/** As the format of glyphs has it: stacks, each with its name, its range and its glyphs. */
export function writeGlyphs(stack: string, start: number, glyphs: readonly Glyph[]): Uint8Array {
  const writer = new PbfWriter();
  writer.writeMessage(
    1,
    (_, message) => {
      message.writeStringField(1, stack);
      message.writeStringField(2, `${start}-${start + RANGE - 1}`);
      for (const glyph of glyphs) message.writeMessage(3, writeGlyph, glyph);
    },
    undefined,
  );
  return writer.finish();
}

function writeGlyph(glyph: Glyph, message: PbfWriter): void {
  message.writeVarintField(1, glyph.code);
  if (glyph.bitmap.length > 0) message.writeBytesField(2, glyph.bitmap);
  message.writeVarintField(3, glyph.width);
  message.writeVarintField(4, glyph.height);
  message.writeSVarintField(5, glyph.left);
  message.writeSVarintField(6, glyph.top);
  message.writeVarintField(7, glyph.advance);
}
