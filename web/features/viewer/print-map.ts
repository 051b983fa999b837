// The map as a picture to keep: with its title, its legend, what it shows and the date below it.

import { drawLegend, type PrintedLegend } from './print-legend.ts';

export async function printMap(
  png: Blob,
  about: {
    readonly title: string;
    readonly layers: readonly string[];
    readonly date: string;
    readonly legends: readonly PrintedLegend[];
  },
): Promise<void> {
  const picture = await createImageBitmap(png);
  const scale = Math.max(1, picture.width / 1200);
  const [head, foot, edge] = [56 * scale, 40 * scale, 20 * scale];
  const canvas = document.createElement('canvas');
  canvas.width = picture.width + 2 * edge;
  canvas.height = picture.height + head + foot;
  const ink = canvas.getContext('2d');
  if (ink === null) return;
  ink.fillStyle = '#ffffff';
  ink.fillRect(0, 0, canvas.width, canvas.height);
  ink.drawImage(picture, edge, head);
  ink.strokeStyle = '#8d8979';
  ink.strokeRect(edge, head, picture.width, picture.height);
  drawLegend(ink, about.legends, { left: edge + 12 * scale, bottom: head + picture.height - 40 * scale, scale });
  ink.fillStyle = '#18211f';
  ink.textBaseline = 'middle';
  ink.font = `600 ${24 * scale}px Georgia, serif`;
  ink.fillText(about.title, edge, head / 2, picture.width);
  ink.font = `${13 * scale}px sans-serif`;
  const line = `${about.layers.join(' · ')} — Natural Earth — ${about.date}`;
  ink.fillText(line, edge, head + picture.height + foot / 2, picture.width);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${about.title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80) || 'map'}.png`;
  link.click();
  URL.revokeObjectURL(link.href);
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
