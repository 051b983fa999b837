// Drawing tools on a map, by terra-draw. It handles points, lines and single rings: a geometry is given to it in pieces, and put
// together again from them. Loaded when somebody begins to edit.

import type { Feature, Geometry, Position } from 'geojson';
import type { Map as GlMap, MapMouseEvent } from 'maplibre-gl';
import {
  type GeoJSONStoreFeatures,
  type SnapToCustom,
  TerraDraw,
  TerraDrawLineStringMode,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
} from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { moved, type Piece, piecesOf, restored, rounded, withoutVertex, withPieces } from '../lib/edit/pieces.ts';
import { snapped } from '../lib/edit/snap.ts';
import type { Drawing, DrawTool } from './drawing.ts';

export type DrawTools = { update(drawing: Drawing): void; stop(): void };

/** Pixels within which something is meant; fingers are wider than pointers. */
const REACH = window.matchMedia('(pointer: coarse)').matches ? 22 : 12;

const LOOK = {
  selectedPolygonColor: '#ffb000',
  selectedPolygonFillOpacity: 0.25,
  selectedPolygonOutlineColor: '#b35c00',
  selectedPolygonOutlineWidth: 3,
  selectedLineStringColor: '#b35c00',
  selectedLineStringWidth: 4,
  selectedPointColor: '#ffb000',
  selectedPointWidth: 8,
  selectedPointOutlineColor: '#b35c00',
  selectedPointOutlineWidth: 3,
  selectionPointColor: '#ffffff',
  selectionPointWidth: 6,
  selectionPointOutlineColor: '#b35c00',
  selectionPointOutlineWidth: 3,
  midPointColor: '#b35c00',
  midPointWidth: 4,
  midPointOutlineColor: '#ffffff',
  midPointOutlineWidth: 1,
} as const;

const MODES: Readonly<Record<DrawTool, string>> = {
  point: 'point',
  line: 'linestring',
  cut: 'linestring',
  polygon: 'polygon',
  move: 'move',
  reshape: 'reshape',
  prune: 'prune',
};

const PIECE_MODES: Readonly<Record<Piece['kind'], string>> = { point: 'point', line: 'linestring', ring: 'polygon' };

export function startDrawTools(map: GlMap, first: Drawing): DrawTools {
  let now = first;
  /** The geometry whose pieces are on the map. */
  let shown: Geometry | undefined;
  let made = 0;

  const toCustom: SnapToCustom = (event) =>
    now.targets === undefined
      ? undefined
      : snapped(
          now.targets,
          { x: event.containerX, y: event.containerY },
          (lng, lat) => map.project([lng, lat]),
          REACH,
          now.subject?.key,
        );
  const selecting = (modeName: string, feature: object): TerraDrawSelectMode =>
    new TerraDrawSelectMode({
      modeName,
      flags: { point: { feature }, linestring: { feature }, polygon: { feature } },
      // Keys belong to the toolbar: what is selected there is not to be deleted by a piece.
      keyEvents: null,
      allowManualDeselection: false,
      pointerDistance: REACH * 2,
      styles: LOOK,
    });
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, minPixelDragDistance: 2 }),
    idStrategy: {
      isValidId: (id) => typeof id === 'string',
      getId: () => {
        made += 1;
        return `drawn-${made}`;
      },
    },
    modes: [
      new TerraDrawPointMode(),
      new TerraDrawLineStringMode({ snapping: { toCustom }, pointerDistance: REACH * 2 }),
      new TerraDrawPolygonMode({ snapping: { toCustom }, pointerDistance: REACH * 2 }),
      selecting('move', { draggable: true }),
      selecting('reshape', {
        draggable: false,
        coordinates: { midpoints: true, draggable: true, deletable: true, snappable: { toCustom } },
      }),
      selecting('prune', { draggable: false, coordinates: { deletable: true } }),
    ],
  });
  draw.start();

  const restart = (): void => {
    draw.clear();
    const { tool, subject } = now;
    shown = subject?.geometry;
    const mode = MODES[tool];
    const isDrawing = tool === 'point' || tool === 'line' || tool === 'polygon' || tool === 'cut';
    if (draw.getMode() !== mode) draw.setMode(mode);
    if (isDrawing || subject === undefined) return;
    const pieces = piecesOf(subject.geometry);
    draw.addFeatures(pieces.map(pieceFeature));
    if (pieces.length > 0) draw.selectFeature(pieceId(0), mode);
  };

  const change = (geometry: Geometry): void => {
    const { subject, onShaped } = now;
    if (subject === undefined) return;
    onShaped(subject.key, geometry);
  };

  draw.on('finish', (id, { action }) => {
    if (action === 'draw') return finishDrawn(id);
    const { subject } = now;
    if (subject === undefined) return;
    const pieces = piecesOf(subject.geometry);
    if (action === 'dragFeature') {
      const at = pieces.findIndex((_, i) => pieceId(i) === id);
      const from = pieces[at]?.vertices[0];
      const to = verticesOf(draw.getSnapshotFeature(id))[0];
      if (from === undefined || to === undefined) return;
      // A point goes to what it is dropped on; other shapes keep their distances.
      const isPoint = pieces[at]?.kind === 'point';
      const pixel = map.project([to[0] ?? 0, to[1] ?? 0]);
      const target =
        isPoint && now.targets !== undefined
          ? snapped(now.targets, pixel, (lng, lat) => map.project([lng, lat]), REACH, subject.key)
          : undefined;
      change(moved(subject.geometry, from, target ?? to));
      return;
    }
    const known = now.targets?.known ?? new Map<string, Position>();
    const vertices = pieces.map((piece, i) => {
      const drawn = verticesOf(draw.getSnapshotFeature(pieceId(i)));
      return drawn.length === 0 ? piece.vertices : restored(drawn, piece.vertices, known);
    });
    const next = withPieces(subject.geometry, vertices);
    // Already on the map as it is.
    shown = next;
    change(next);
  });

  const finishDrawn = (id: string | number): void => {
    const feature = draw.getSnapshotFeature(id);
    if (feature === undefined) return;
    const geometry = feature.geometry as Geometry;
    const known = now.targets?.known ?? new Map<string, Position>();
    // In the midst of its own event nothing is taken from it.
    queueMicrotask(() => {
      if (draw.enabled && draw.hasFeature(id)) draw.removeFeatures([id]);
    });
    let pieces = piecesOf(geometry).map(({ vertices }) => restored(vertices, [], known));
    if (now.tool === 'point' && now.targets !== undefined) {
      const [at = [0, 0]] = pieces[0] ?? [];
      const target = snapped(
        now.targets,
        map.project([at[0] ?? 0, at[1] ?? 0]),
        (lng, lat) => map.project([lng, lat]),
        REACH,
        undefined,
      );
      if (target !== undefined) pieces = [[target.slice(0, 2)]];
    }
    now.onDrawn(withPieces(geometry, pieces));
  };

  const prune = ({ point }: MapMouseEvent): void => {
    const { tool, subject } = now;
    if (tool !== 'prune' || subject === undefined) return;
    let found: { readonly piece: number; readonly vertex: number; readonly far: number } | undefined;
    for (const [piece, { vertices }] of piecesOf(subject.geometry).entries()) {
      for (const [vertex, [x = 0, y = 0]] of vertices.entries()) {
        const pixel = map.project([x, y]);
        const far = Math.hypot(pixel.x - point.x, pixel.y - point.y);
        if (far <= REACH && (found === undefined || far < found.far)) found = { piece, vertex, far };
      }
    }
    const next = found === undefined ? undefined : withoutVertex(subject.geometry, found.piece, found.vertex);
    if (next !== undefined) change(next);
  };
  map.on('click', prune);

  restart();
  return {
    update(drawing) {
      const before = now;
      now = drawing;
      const isSame = before.tool === drawing.tool && before.subject?.key === drawing.subject?.key;
      if (!isSame || drawing.subject?.geometry !== shown) restart();
    },
    stop() {
      map.off('click', prune);
      // The map may be gone with its page already.
      try {
        draw.stop();
      } catch {
        map.getCanvas().style.cursor = '';
      }
    },
  };
}

const pieceId = (i: number): string => `piece-${i}`;

function pieceFeature({ kind, vertices }: Piece, i: number): GeoJSONStoreFeatures {
  const places = vertices.map(rounded);
  const geometry =
    kind === 'point'
      ? { type: 'Point' as const, coordinates: places[0] ?? [0, 0] }
      : kind === 'line'
        ? { type: 'LineString' as const, coordinates: places }
        : { type: 'Polygon' as const, coordinates: [places] };
  return { type: 'Feature', id: pieceId(i), geometry, properties: { mode: PIECE_MODES[kind] } };
}

function verticesOf(feature: Feature | undefined): readonly Position[] {
  return feature === undefined ? [] : (piecesOf(feature.geometry)[0]?.vertices ?? []);
}
