// The map on paper: title, map, legend, scale bar, north arrow, what it shows, whose data it is made of, and the date; as a picture or as
// a PDF of one page.

import { pdfOf } from '../../lib/pdf.ts';
import { saveFile } from '../../lib/save-file.ts';
import { drawLegend, type PrintedLegend } from './print-legend.ts';

/** In millimetres, upright. */
export const PAPERS = {
  a4: [210, 297],
  a3: [297, 420],
  a2: [420, 594],
  letter: [215.9, 279.4],
} as const;
export type Paper = keyof typeof PAPERS;
export const DPIS = [96, 150, 300] as const;

export type PrintOptions = {
  readonly title: string;
  readonly paper: Paper;
  readonly isLandscape: boolean;
  readonly dpi: (typeof DPIS)[number];
  readonly format: 'pdf' | 'png';
  readonly hasLegend: boolean;
  readonly hasScale: boolean;
  readonly hasNorth: boolean;
};

const INCH_MM = 25.4;
/** Pixels of a page to the inch, by which sizes of symbols and letters are meant. */
const SCREEN_DPI = 96;

type Sheet = {
  /** Of the whole page and of the map on it, in pixels of a screen. */
  readonly page: readonly [number, number];
  readonly map: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
};

export function sheetOf({ paper, isLandscape }: Pick<PrintOptions, 'paper' | 'isLandscape'>): Sheet {
  const [short, long] = PAPERS[paper];
  const [width, height] = (isLandscape ? [long, short] : [short, long]).map((mm) =>
    Math.round((mm / INCH_MM) * SCREEN_DPI),
  ) as [number, number];
  const [edge, head, foot] = [38, 78, 62];
  return { page: [width, height], map: { x: edge, y: head, width: width - 2 * edge, height: height - head - foot } };
}

export type Printed = {
  readonly legends: readonly PrintedLegend[];
  /** Below the map: layers, credits, date. */
  readonly note: string;
  /** Of the ground, to a pixel of a screen in the middle of the map. */
  readonly metresPerPixel: number;
  /** What shows through the symbols of the map. */
  readonly land: string;
};

export async function printMap(picture: Blob, options: PrintOptions, printed: Printed): Promise<void> {
  const sheet = sheetOf(options);
  const ratio = options.dpi / SCREEN_DPI;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(sheet.page[0] * ratio);
  canvas.height = Math.round(sheet.page[1] * ratio);
  const ink = canvas.getContext('2d');
  if (ink === null) return;
  ink.fillStyle = '#ffffff';
  ink.fillRect(0, 0, canvas.width, canvas.height);
  ink.scale(ratio, ratio);
  const { map } = sheet;
  const image = await createImageBitmap(picture);
  ink.drawImage(image, map.x, map.y, map.width, map.height);
  ink.strokeStyle = '#8d8979';
  ink.strokeRect(map.x, map.y, map.width, map.height);
  ink.fillStyle = '#18211f';
  ink.textBaseline = 'middle';
  ink.font = '600 26px Georgia, serif';
  ink.fillText(options.title, map.x, map.y / 2 + 6, map.width);
  ink.font = '12px sans-serif';
  ink.fillText(printed.note, map.x, map.y + map.height + 40, map.width);
  if (options.hasLegend)
    drawLegend(ink, printed.legends, {
      left: map.x + 12,
      bottom: map.y + map.height - 12,
      scale: 1,
      land: printed.land,
    });
  if (options.hasScale) drawScale(ink, map.x + map.width, map.y + map.height + 18, printed.metresPerPixel);
  if (options.hasNorth) drawNorth(ink, map.x + map.width - 34, map.y + 44);
  const name = `${options.title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80) || 'map'}.${options.format}`;
  const type = options.format === 'png' ? 'image/png' : 'image/jpeg';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.93));
  if (blob === null) return;
  if (options.format === 'png') return saveFile(blob, name);
  const points = sheet.page.map((one) => (one * 72) / SCREEN_DPI) as [number, number];
  const jpeg = new Uint8Array(await blob.arrayBuffer());
  const pdf = pdfOf(jpeg, [canvas.width, canvas.height], points, options.title);
  saveFile(new Blob([pdf as BlobPart], { type: 'application/pdf' }), name);
}

/** A round length of at most so many pixels: 1, 2 or 5 and noughts. */
function scaleLength(metresPerPixel: number, most: number): number {
  const longest = metresPerPixel * most;
  const ten = 10 ** Math.floor(Math.log10(longest));
  return [5, 2, 1].map((step) => step * ten).find((length) => length <= longest) ?? ten;
}

function drawScale(ink: CanvasRenderingContext2D, right: number, y: number, metresPerPixel: number): void {
  const metres = scaleLength(metresPerPixel, 180);
  const width = metres / metresPerPixel;
  const text = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
  ink.lineWidth = 1.5;
  ink.strokeStyle = '#18211f';
  ink.beginPath();
  ink.moveTo(right - width, y - 5);
  ink.lineTo(right - width, y);
  ink.lineTo(right, y);
  ink.lineTo(right, y - 5);
  ink.stroke();
  ink.fillStyle = '#18211f';
  ink.font = '12px sans-serif';
  ink.textAlign = 'right';
  ink.fillText(text, right - width - 8, y - 2);
  ink.textAlign = 'left';
}

function drawNorth(ink: CanvasRenderingContext2D, x: number, y: number): void {
  ink.fillStyle = 'rgb(255 255 255 / 0.85)';
  ink.beginPath();
  ink.arc(x, y, 26, 0, 2 * Math.PI);
  ink.fill();
  ink.fillStyle = '#18211f';
  ink.beginPath();
  ink.moveTo(x, y - 20);
  ink.lineTo(x + 8, y + 6);
  ink.lineTo(x, y + 1);
  ink.lineTo(x - 8, y + 6);
  ink.closePath();
  ink.fill();
  ink.font = '600 13px sans-serif';
  ink.textAlign = 'center';
  ink.fillText('N', x, y + 16);
  ink.textAlign = 'left';
}

/** Small enough to be kept as a picture of the map in the catalogue. */
export async function pictureOf(png: Blob | null): Promise<string | undefined> {
  if (png === null) return undefined;
  const picture = await createImageBitmap(png);
  const [width, height] = [480, 270];
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const scale = Math.max(width / picture.width, height / picture.height);
  const [w, h] = [picture.width * scale, picture.height * scale];
  canvas.getContext('2d')?.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h);
  return canvas.toDataURL('image/png');
}
