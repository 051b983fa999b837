// Pictures and shapes of somebody else's layer onto a small picture. A picture that would take too much memory when it is unpacked is left out.

import { type Canvas, loadImage, type SKRSContext2D } from '@napi-rs/canvas';
import type { GeoGeometry, GeoPosition } from '../../geo/geojson.ts';
import { makeProject, WEB_MERCATOR, WGS84 } from '../../geo/projection.ts';
import type { View } from '../../geo/view.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import type { RemotePicture } from '../../layer-ports/remote-picture.ts';
import { pictureSize } from './picture-size.ts';

const MAX_PIXELS = 25_000_000;
const COLOUR = '#1d6fa5';
const INSIDE = 'rgba(29, 111, 165, 0.35)';
const RADIUS = 4;

const toMercator = makeProject(WGS84, WEB_MERCATOR);

export async function drawRemotePicture(
  canvas: Canvas,
  view: View,
  { pictures, shapes }: RemotePicture,
): Promise<void> {
  const context = canvas.getContext('2d');
  const [xmin, ymin, xmax, ymax] = view.box;
  const place = (x: number, y: number): readonly [number, number] => [
    ((x - xmin) / (xmax - xmin)) * view.width,
    ((ymax - y) / (ymax - ymin)) * view.height,
  ];
  for (const { bytes, box } of pictures) {
    const size = pictureSize(bytes);
    if (size === undefined || size.width * size.height > MAX_PIXELS) continue;
    const picture = await loadImage(bytes).catch(() => undefined);
    if (picture === undefined) continue;
    const [left, top] = place(box[0], box[3]);
    const [right, bottom] = place(box[2], box[1]);
    context.drawImage(picture, left, top, right - left, bottom - top);
  }
  context.strokeStyle = COLOUR;
  context.lineWidth = 1.5;
  for (const shape of shapes) drawShape(context, shape, place);
}

type Place = (x: number, y: number) => readonly [number, number];

function drawShape(context: SKRSContext2D, shape: GeoGeometry, place: Place): void {
  const line = (positions: readonly GeoPosition[]): void => {
    positions.forEach(([x = 0, y = 0], i) => {
      const at = toMercator(x, Math.max(-85, Math.min(85, y)));
      if (at === undefined) return;
      const [left, top] = place(...at);
      if (i === 0) context.moveTo(left, top);
      else context.lineTo(left, top);
    });
  };
  const dot = ([x = 0, y = 0]: GeoPosition): void => {
    const at = toMercator(x, Math.max(-85, Math.min(85, y)));
    if (at === undefined) return;
    context.beginPath();
    context.arc(...place(...at), RADIUS, 0, 2 * Math.PI);
    context.fillStyle = COLOUR;
    context.fill();
  };
  const stroke = (lines: readonly (readonly GeoPosition[])[]): void => {
    context.beginPath();
    for (const one of lines) line(one);
    context.stroke();
  };
  const fill = (rings: readonly (readonly GeoPosition[])[]): void => {
    context.beginPath();
    for (const one of rings) line(one);
    context.fillStyle = INSIDE;
    context.fill('evenodd');
    context.stroke();
  };
  switch (shape.type) {
    case 'Point':
      dot(shape.coordinates);
      break;
    case 'MultiPoint':
      for (const one of shape.coordinates) dot(one);
      break;
    case 'LineString':
      stroke([shape.coordinates]);
      break;
    case 'MultiLineString':
      stroke(shape.coordinates);
      break;
    case 'Polygon':
      fill(shape.coordinates);
      break;
    case 'MultiPolygon':
      for (const one of shape.coordinates) fill(one);
      break;
    case 'GeometryCollection':
      for (const one of shape.geometries) drawShape(context, one, place);
      break;
    default:
      assertNever(shape);
  }
}
