// Shapes cut and merged for editors: what a feature would become, computed where its layer is at home and written by nobody yet.

import type { FastifyInstance } from 'fastify';
import { type GeoGeometry, parseGeometry } from '../../geo/geojson.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { Row, Statement } from '../../pg/driver.ts';
import { type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { mergeStatement, splitStatement } from '../query/shape-sql.ts';
import { queryFailure } from '../query-failure.ts';
import { type Ask, type Handled, json, type OgcRoute } from './ogc-route.ts';

const BODY_LIMIT = 16 * 1024 * 1024;
const SHAPE_MS = 20_000;
const MAX_SHAPES = 200;

export function registerShapes(scope: FastifyInstance, context: MapContext, { route, withLayer }: OgcRoute): void {
  scope.post('/ogc/collections/:layer/split', { bodyLimit: BODY_LIMIT }, route(withLayer(split)));
  scope.post('/ogc/collections/:layer/merge', { bodyLimit: BODY_LIMIT }, route(withLayer(merge)));

  async function split(ask: Ask, layer: VectorLayer): Promise<Handled> {
    const sent = membersOf(ask);
    const shape = shapeOf(sent['geometry'], 'geometry');
    if (!shape.ok) return shape;
    const line = shapeOf(sent['line'], 'line');
    if (!line.ok) return line;
    if (line.value.type !== 'LineString') return refuse('line: a LineString was expected.');
    const pieces = await compute(ask, splitStatement(layer, shape.value, line.value));
    if (!pieces.ok) return pieces;
    const shapes = pieces.value.map(([isCut, cell]) => ({
      isCut: isCut?.toString() === 't',
      shape: JSON.parse(cell?.toString() ?? 'null') as GeoGeometry,
    }));
    const cut = shapes.filter(({ isCut }) => isCut);
    if (cut.length < 2) return refuse('The line does not cut the shape in two.');
    // What the line does not touch stays with the largest piece, as the feature itself does.
    const [first, ...others] = cut.map((one) => one.shape);
    const kept = shapes.flatMap((one) => (one.isCut ? [] : [one.shape]));
    const geometries = [kept.length === 0 || first === undefined ? first : gathered([first, ...kept]), ...others];
    return ok(json(ask.reply, { geometries }));
  }

  async function merge(ask: Ask, layer: VectorLayer): Promise<Handled> {
    const { geometries } = membersOf(ask);
    if (!Array.isArray(geometries) || geometries.length < 2)
      return refuse('geometries: a list of two shapes or more was expected.');
    if (geometries.length > MAX_SHAPES) return refuse(`geometries: ${MAX_SHAPES} shapes at most are merged at once.`);
    const shapes: GeoGeometry[] = [];
    for (const one of geometries as readonly unknown[]) {
      const shape = shapeOf(one, 'geometries');
      if (!shape.ok) return shape;
      shapes.push(shape.value);
    }
    const merged = await compute(ask, mergeStatement(layer, shapes));
    if (!merged.ok) return merged;
    const shape = JSON.parse(merged.value[0]?.[0]?.toString() ?? 'null') as GeoGeometry;
    const wanted = layer.geometry.type.replace(/(?:ZM|Z|M)$/, '');
    const fits = wanted === 'Geometry' || wanted === shape.type || wanted === `Multi${shape.type}`;
    if (!fits) return refuse(`The shapes do not touch: together they are no ${wanted}, as the layer needs.`);
    return ok(json(ask.reply, { geometries: [shape] }));
  }

  async function compute({ request, caller }: Ask, statement: Statement): Promise<Result<readonly Row[], MapFailure>> {
    const executed = await context.db.read(caller, requestInfo(request), [timeLimit(SHAPE_MS), statement]);
    if (!executed.ok) return err(queryFailure(executed.error));
    const rows = executed.value[1]?.rows ?? [];
    return rows.length === 0 ? err({ kind: 'forbidden' }) : ok(rows);
  }
}

function membersOf({ request: { body } }: Ask): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

function refuse(detail: string): Result<never, MapFailure> {
  return err({ kind: 'bad-request', detail });
}

function shapeOf(sent: unknown, member: string): Result<GeoGeometry, MapFailure> {
  const shape = parseGeometry(sent);
  return shape.ok ? shape : refuse(`${member}: ${shape.error.said}.`);
}

/** Pieces of one kind as one shape. */
function gathered(shapes: readonly GeoGeometry[]): unknown {
  const type = shapes[0]?.type ?? 'Polygon';
  return {
    type: `Multi${type}`,
    coordinates: shapes.map((shape) => ('coordinates' in shape ? shape.coordinates : [])),
  };
}
