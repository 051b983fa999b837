// A map, told what to show. This is the only file that holds the map object (and `swipe-map.ts` the second one of a swipe); everybody
// else hands over data and hears of what people do with it.

import 'maplibre-gl/dist/maplibre-gl.css';
import './map.css';
import type { Geometry } from 'geojson';
import {
  AttributionControl,
  FullscreenControl,
  GeolocateControl,
  Map as GlMap,
  LngLatBounds,
  type MapGeoJSONFeature,
  type MapMouseEvent,
  NavigationControl,
  ScaleControl,
  type StyleOptions,
  type StyleSpecification,
  type StyleSwapOptions,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { COUNT, SHORT_COUNT, VALUE } from '../../src/geo/style/group.ts';
import { onMercator } from '../lib/bbox.ts';
import type { Extent } from '../lib/catalogue-state.ts';
import { coordinateText } from '../lib/coordinates.ts';
import { cellAround } from '../lib/detail.ts';
import { type Text, useText } from '../lib/i18n/text.ts';
import { extentOfShapes } from '../lib/shapes.ts';
import { isBase } from './basemap.ts';
import { DetailNotes } from './DetailNotes.tsx';
import type { DrawTools } from './draw-tools.ts';
import type { Drawing } from './drawing.ts';
import type { Drawn } from './drawn.ts';
import { MapStatus } from './MapStatus.tsx';
import { drawnBy, isOfGroups, mapStyle } from './map-style.ts';
import { printPicture, sideBySide } from './print-picture.ts';
import { retryTiles, type TileRetries } from './retry-tiles.ts';
import { type SwipeMap, startSwipeMap } from './swipe-map.ts';
import { tellOrigin } from './tell-origin.ts';
import { tellStyle } from './tell-style.ts';
import { useBasemap } from './use-basemap.ts';
import { type LayerDetail, type Looked, useDetails } from './use-details.ts';
import { usePrepared } from './use-prepared.ts';

setWorkerUrl(workerUrl);

export type Camera = { readonly center: readonly [number, number]; readonly zoom: number };
export type Moved = Camera & { readonly extent: Extent };
export type Picked = {
  /** Of what is drawn, by its id. */
  readonly drawn: string;
  readonly id: string | number | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  /** As much of it as was drawn there; undefined: of a raster. */
  readonly shape: Geometry | undefined;
  /** It stands for several features, which are asked for by the place. */
  readonly crowd?: Crowd | undefined;
};
/** Features that are drawn as one: a cell, a cluster, a hexagon. */
type Crowd = {
  readonly count: number;
  readonly extent: Extent;
  /** CQL2: which of the features there are meant; undefined: all of them. */
  readonly filter: unknown;
};
export type MapHandle = {
  toPng(): Promise<Blob | null>;
  /** The same view on paper of this size, in pixels of a screen; `ratio`: how much finer. */
  print(size: readonly [number, number], ratio: number): Promise<PrintedPicture | null>;
  /** What could not be loaded is tried again at once. */
  retry(): void;
};
type PrintedPicture = {
  readonly picture: Blob;
  readonly metresPerPixel: number;
  /** On paper, where the zoom may be another. */
  readonly details: readonly LayerDetail[];
};

/** Two of what is drawn, each on its side of a divider. */
export type Swipe = {
  readonly left: string;
  readonly right: string;
  /** Where the divider is, as a part of the width. */
  readonly at: number;
};

export type MapViewProps = {
  /** Said by screen readers. */
  readonly label: string;
  readonly drawn: readonly Drawn[];
  /** Where the map begins. */
  readonly start?: Camera | Extent | undefined;
  /** Goes there whenever it becomes another. */
  readonly goTo?: { readonly extent: Extent } | { readonly camera: Camera; readonly isFlown?: boolean } | undefined;
  readonly onMoved?: (to: Moved) => void;
  readonly onPick?: (at: readonly [number, number], features: readonly Picked[]) => void;
  /** Somebody clicked a cluster, and the map goes nearer. */
  readonly onCluster?: () => void;
  /** Dragging draws a box instead of moving the map. */
  readonly onBox?: ((extent: Extent) => void) | undefined;
  readonly onPoint?: ((at: readonly [number, number]) => void) | undefined;
  /** A drawing tool is at work: clicks are its own. */
  readonly drawing?: Drawing | undefined;
  readonly swipe?: Swipe | undefined;
  readonly handle?: Ref<MapHandle>;
  /** What layers show in place of every feature, where one looks. */
  readonly onDetails?: (details: readonly LayerDetail[]) => void;
  /** Which of what is drawn has parts that cannot be loaded just now. */
  readonly onTrouble?: (drawn: readonly string[]) => void;
  readonly isStill?: boolean;
  readonly labels?: boolean;
  /** One of PACKAGED, or the id of one that the operator named; undefined: the usual one. */
  readonly basemap?: string | undefined;
  /** Undefined: with a scale bar, and credits that fold away. */
  readonly furniture?: { readonly scale: boolean; readonly credits: boolean } | undefined;
  /** With buttons for the place where one is and for the whole screen, and the coordinates under the pointer. */
  readonly hasTools?: boolean;
};

const EQUATOR_M = 40_075_016.686;
const WORLD: Camera = { center: [10, 25], zoom: 0.9 };

export function MapView(props: MapViewProps) {
  const t = useText();
  const basemap = useBasemap(props.basemap);
  const { label, start, goTo, onBox, handle, isStill = false, labels = true } = props;
  const drawn = usePrepared(props.drawn);
  const box = useRef<HTMLDivElement>(null);
  const map = useRef<GlMap | undefined>(undefined);
  const heard = useRef(props);
  heard.current = props;
  const [isBroken, setBroken] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [hasTrouble, setTrouble] = useState(false);
  const retries = useRef<TileRetries | undefined>(undefined);
  const detailsAt = useDetails(drawn);
  const [looked, setLooked] = useState<Looked>();
  const details = useMemo(() => (looked === undefined ? [] : detailsAt(looked)), [detailsAt, looked]);
  const { onDetails } = props;
  useEffect(() => onDetails?.(details), [onDetails, details]);
  const { swipe } = props;
  const [left, right] = [swipe?.left, swipe?.right];
  const styleWithout = useCallback(
    (id: string | undefined) =>
      mapStyle(id === undefined ? drawn : drawn.filter((one) => one.id !== id), {
        basemap,
        labels,
        sprite: new URL('/sprites/marks', window.location.href).href,
      }),
    [drawn, basemap, labels],
  );
  const style = useMemo(() => styleWithout(right), [styleWithout, right]);
  /** What was clicked last is no part of the map. */
  const onPaper = (id: string | undefined): StyleSpecification =>
    mapStyle(
      drawn.filter((one) => one.id !== id && !isHighlight(one)),
      { basemap, labels, sprite: new URL('/sprites/marks', window.location.href).href },
    );
  const otherStyle = useMemo(() => (left === undefined ? undefined : styleWithout(left)), [styleWithout, left]);
  const second = useRef<SwipeMap | undefined>(undefined);
  const first = useRef({ style, start, isStill, label, hasTools: props.hasTools === true, words: wordsOf(t) });
  const pointer = useRef<HTMLOutputElement>(null);
  const words = useRef(t);
  words.current = t;
  const wanted = useRef(style);
  /** What the map was told last: it says that it has a style also after a difference to it. */
  const told = useRef(style);
  const isStyled = useRef(false);

  useEffect(() => {
    const container = box.current;
    if (container === null) return;
    let made: GlMap;
    try {
      made = new GlMap({
        container,
        style: first.current.style,
        ...placeOf(first.current.start ?? WORLD),
        attributionControl: false,
        dragRotate: false,
        pitchWithRotate: false,
        touchPitch: false,
        maxPitch: 0,
        interactive: !first.current.isStill,
        // Fine pixels need no smoothing, and it is dear where no graphics card helps. What is printed is read while it is drawn.
        canvasContextAttributes: { preserveDrawingBuffer: false, antialias: window.devicePixelRatio < 2 },
        fadeDuration: 0,
        renderWorldCopies: true,
        transformRequest: tellOrigin,
        locale: { ...first.current.words, 'Map.Title': first.current.label },
      });
    } catch {
      setBroken(true);
      return;
    }
    map.current = made;
    told.current = first.current.style;
    made.touchZoomRotate.disableRotation();
    const { furniture } = heard.current;
    made.addControl(new AttributionControl({ compact: furniture?.credits !== true }), 'bottom-right');
    if (!first.current.isStill) {
      made.addControl(new NavigationControl({ showCompass: false }), 'top-right');
      if (furniture?.scale !== false) made.addControl(new ScaleControl({ unit: 'metric' }), 'bottom-left');
      if (first.current.hasTools) {
        made.addControl(new GeolocateControl({ fitBoundsOptions: { maxZoom: 15 } }), 'top-right');
        const whole = container.closest<HTMLElement>('.viewer-map, .embed') ?? container;
        if (document.fullscreenEnabled) made.addControl(new FullscreenControl({ container: whole }), 'top-right');
      }
    }
    const tell = (): void => {
      const { lng, lat } = made.getCenter();
      // Only as far as it makes a difference: a note is not told anew with every step of a pan.
      const next = { zoom: Math.floor(made.getZoom() * 4) / 4, lat: Math.round(lat) };
      setLooked((now) => (now?.zoom === next.zoom && now.lat === next.lat ? now : next));
      heard.current.onMoved?.({ center: [lng, lat], zoom: made.getZoom(), extent: extentOfView(made) });
    };
    made.on('moveend', tell);
    made.on('load', tell);
    /** Which of two maps is seen there. */
    const mapAt = ({ point }: MapMouseEvent): GlMap => {
      const { swipe: divided } = heard.current;
      const isRight = divided !== undefined && point.x > divided.at * made.getCanvas().clientWidth;
      return isRight ? (second.current?.map ?? made) : made;
    };
    // The click that ends a drawing is the tool's own, though the tool is laid down when it arrives.
    let isToolsClick = false;
    container.addEventListener(
      'pointerdown',
      () => {
        isToolsClick = heard.current.drawing !== undefined;
      },
      true,
    );
    made.on('click', (event: MapMouseEvent) => {
      const at = [event.lngLat.lng, event.lngLat.lat] as const;
      if (isToolsClick) return;
      const cluster = heard.current.onPoint === undefined ? clusterAt(mapAt(event), event) : undefined;
      if (cluster !== undefined) {
        // What was told of another place is not of this one.
        heard.current.onCluster?.();
        made.easeTo({ center: cluster, zoom: Math.min(made.getMaxZoom(), Math.floor(made.getZoom()) + 2) });
      } else if (heard.current.onPoint !== undefined) heard.current.onPoint(at);
      else heard.current.onPick?.(at, pickedAt(mapAt(event), event, heard.current.drawn));
    });
    made.on('mouseout', () => pointer.current?.replaceChildren());
    made.on('mousemove', (event: MapMouseEvent) => {
      const { lng, lat } = event.lngLat;
      pointer.current?.replaceChildren(coordinateText([lng, lat], made.getZoom(), words.current.language));
      // A drawing tool has cursors of its own.
      if (heard.current.drawing !== undefined) return;
      const isTool = heard.current.onPoint !== undefined || heard.current.onBox !== undefined;
      made.getCanvas().style.cursor = isTool
        ? 'crosshair'
        : heard.current.onPick !== undefined && pickedAt(mapAt(event), event, heard.current.drawn).length > 0
          ? 'pointer'
          : '';
    });
    made.on('style.load', () => {
      isStyled.current = true;
      if (told.current === wanted.current) return;
      told.current = wanted.current;
      tellStyle(made, wanted.current, KEEPING_DRAWN);
    });
    made.on('dataloading', () => setLoading(true));
    made.on('idle', () => {
      setLoading(false);
      container.setAttribute('data-idle', 'true');
    });
    made.on('error', ({ error }) => console.debug('map:', error.message));
    retries.current = retryTiles(made, (sources) => {
      setTrouble(sources.length > 0);
      heard.current.onTrouble?.([...new Set(sources.filter((one) => !isBase(one)).map(drawnBy))]);
    });
    return () => {
      retries.current?.end();
      map.current = undefined;
      isStyled.current = false;
      made.remove();
    };
  }, []);

  useEffect(() => {
    wanted.current = style;
    // Before its first style is there, a map cannot be told of a difference to it.
    if (!isStyled.current || told.current === style) return;
    told.current = style;
    if (map.current !== undefined) tellStyle(map.current, style, KEEPING_DRAWN);
  }, [style]);

  const hasSecond = otherStyle !== undefined;
  const otherNow = useRef(otherStyle);
  otherNow.current = otherStyle;
  useEffect(() => {
    const made = map.current;
    if (made === undefined || !hasSecond || otherNow.current === undefined) return;
    second.current = startSwipeMap(made, otherNow.current, heard.current.swipe?.at ?? 0.5);
    return () => {
      // With its page the first map goes before it.
      second.current?.end();
      second.current = undefined;
    };
  }, [hasSecond]);
  useEffect(() => {
    if (otherStyle !== undefined) second.current?.draw(otherStyle);
  }, [otherStyle]);
  const divider = swipe?.at;
  useEffect(() => {
    if (divider !== undefined) second.current?.cut(divider);
  }, [divider]);

  const target = goTo === undefined ? undefined : JSON.stringify(goTo);
  useEffect(() => {
    const made = map.current;
    if (made === undefined || target === undefined) return;
    const to = JSON.parse(target) as NonNullable<typeof goTo>;
    const duration = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 600;
    // MapLibre itself jumps where less motion is wanted.
    if ('camera' in to && to.isFlown === true)
      made.flyTo({ center: [...to.camera.center] as [number, number], zoom: to.camera.zoom, maxDuration: 4000 });
    else if ('camera' in to)
      made.easeTo({ center: [...to.camera.center] as [number, number], zoom: to.camera.zoom, duration });
    else made.fitBounds(boundsOf(to.extent), { padding: 40, maxZoom: 15, duration });
  }, [target]);

  const { drawing } = props;
  const tools = useRef<DrawTools | undefined>(undefined);
  const isDrawing = drawing !== undefined;
  useEffect(() => {
    const made = map.current;
    if (made === undefined || !isDrawing) return;
    let isOver = false;
    const begin = async (): Promise<void> => {
      const { startDrawTools } = await import('./draw-tools.ts');
      if (!isStyled.current) await made.once('style.load');
      const { drawing: wanted } = heard.current;
      if (isOver || wanted === undefined) return;
      tools.current = startDrawTools(made, wanted);
      box.current?.setAttribute('data-drawing', 'true');
    };
    void begin();
    return () => {
      isOver = true;
      tools.current?.stop();
      tools.current = undefined;
      box.current?.removeAttribute('data-drawing');
    };
  }, [isDrawing]);
  useEffect(() => {
    if (drawing !== undefined) tools.current?.update(drawing);
  }, [drawing]);

  const hasBox = onBox !== undefined;
  useEffect(() => {
    const made = map.current;
    if (made === undefined || !hasBox) return;
    return drawBoxes(made, (extent) => heard.current.onBox?.(extent));
  }, [hasBox]);

  useImperativeHandle(handle, () => ({
    retry: () => retries.current?.now(),
    toPng: () =>
      new Promise((resolve) => {
        const made = map.current;
        if (made === undefined) return resolve(null);
        // A divider is a way to look at the map, and no part of it.
        if (second.current !== undefined || drawn.some(isHighlight)) {
          const { lng, lat } = made.getCenter();
          const { clientWidth, clientHeight } = made.getCanvas();
          const size = [clientWidth, clientHeight] as const;
          resolve(
            printPicture({ style: onPaper(undefined), center: [lng, lat], zoom: made.getZoom(), size, ratio: 1 }),
          );
          return;
        }
        made.once('render', () => made.getCanvas().toBlob(resolve, 'image/png'));
        made.triggerRepaint();
      }),
    async print(size, ratio) {
      const made = map.current;
      if (made === undefined) return null;
      const { lng, lat } = made.getCenter();
      const { width, height } = made.getCanvas().getBoundingClientRect();
      // All that is seen on the screen is on the paper.
      const zoom = made.getZoom() + Math.log2(Math.min(size[0] / width, size[1] / height));
      const view = { center: [lng, lat] as const, zoom, size, ratio };
      const { swipe: divided } = heard.current;
      const other = otherNow.current;
      // The divider is where it is on the screen, seen from the middle of the map.
      const at =
        divided === undefined ? 1 : 0.5 + (divided.at - 0.5) * width * (2 ** (zoom - made.getZoom()) / size[0]);
      const picture =
        divided === undefined || other === undefined
          ? await printPicture({ ...view, style: onPaper(undefined) })
          : await sideBySide(
              await printPicture({ ...view, style: onPaper(divided.right) }),
              await printPicture({ ...view, style: onPaper(divided.left) }),
              at,
            );
      const metresPerPixel = (EQUATOR_M * Math.cos((lat * Math.PI) / 180)) / (512 * 2 ** zoom);
      return picture === null ? null : { picture, metresPerPixel, details: detailsAt({ zoom, lat }) };
    },
  }));

  if (isBroken) return <p className="map-broken notice warm">{t('map.no-webgl')}</p>;
  return (
    <div className="map-view" ref={box}>
      {props.hasTools === true && <output className="map-pointer number" ref={pointer} aria-hidden="true" />}
      <DetailNotes details={details} />
      <MapStatus isLoading={isLoading} hasTrouble={hasTrouble} onRetry={() => retries.current?.now()} />
    </div>
  );
}

/** A mark on what was clicked or chosen. */
const isHighlight = (one: Drawn): boolean => one.kind === 'shapes' && one.look === 'chosen';

/** Sources and layers of the drawing tools, which are on the map beside what its style says. */
const isDrawTool = (name: string): boolean => name.startsWith('td-');

const KEEPING_DRAWN: StyleSwapOptions & StyleOptions = {
  diff: true,
  transformStyle: (before, after) => {
    const sources = Object.entries(before?.sources ?? {}).filter(([name]) => isDrawTool(name));
    if (sources.length === 0) return after;
    return {
      ...after,
      sources: { ...after.sources, ...Object.fromEntries(sources) },
      layers: [...after.layers, ...(before?.layers ?? []).filter(({ id }) => isDrawTool(id))],
    };
  },
};

/** Words of MapLibre's own buttons. */
function wordsOf(t: Text): Record<string, string> {
  return {
    'NavigationControl.ZoomIn': t('map.zoom-in'),
    'NavigationControl.ZoomOut': t('map.zoom-out'),
    'FullscreenControl.Enter': t('map.fullscreen'),
    'FullscreenControl.Exit': t('map.fullscreen-end'),
    'GeolocateControl.FindMyLocation': t('map.locate'),
    'GeolocateControl.LocationNotAvailable': t('map.no-location'),
    'AttributionControl.ToggleAttribution': t('map.credits'),
  };
}

function placeOf(
  start: Camera | Extent,
): { center: [number, number]; zoom: number } | { bounds: LngLatBounds; fitBoundsOptions: object } {
  if ('zoom' in start) return { center: [...start.center] as [number, number], zoom: start.zoom };
  return { bounds: boundsOf(start), fitBoundsOptions: { padding: 24, maxZoom: 15 } };
}

/** The whole world is shown without the polar regions, which Mercator's projection blows up beyond all else. */
function boundsOf(extent: Extent): LngLatBounds {
  const isWorld = extent[2] - extent[0] > 300;
  const [west, south, east, north] = onMercator(
    isWorld ? [extent[0], Math.max(-56, extent[1]), extent[2], Math.min(76, extent[3])] : extent,
  );
  return new LngLatBounds([west, south], [east, north]);
}

function extentOfView(map: GlMap): Extent {
  const bounds = map.getBounds();
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
}

const FINGER = 4;

/** Features under the pointer, the topmost first, each once. */
function pickedAt(map: GlMap, { point }: MapMouseEvent, shown: readonly Drawn[]): readonly Picked[] {
  const found = map.queryRenderedFeatures([
    [point.x - FINGER, point.y - FINGER],
    [point.x + FINGER, point.y + FINGER],
  ]);
  const seen = new Set<string>();
  const picked: Picked[] = [];
  for (const feature of found) {
    if (isBase(feature.source) || isDrawTool(feature.source) || isCluster(feature)) continue;
    const drawn = drawnBy(feature.source);
    const crowd = crowdOf(
      feature,
      shown.find(({ id }) => id === drawn),
      map.getZoom(),
    );
    // Of cells side by side, the one that is nearest to the top.
    const key = `${drawn} ${crowd === undefined ? (feature.id ?? JSON.stringify(feature.properties)) : 'crowd'}`;
    if (seen.has(key)) continue;
    seen.add(key);
    picked.push({ drawn, id: feature.id, properties: ofGroup(feature), shape: feature.geometry, crowd });
  }
  return picked;
}

const isCluster = ({ source, properties, geometry }: MapGeoJSONFeature): boolean =>
  isOfGroups(source) && geometry.type === 'Point' && Number(properties[COUNT]) > 1;

/** How many it is or stands for is no attribute of a feature. */
function ofGroup({ source, properties }: MapGeoJSONFeature): Picked['properties'] {
  if (!isOfGroups(source)) return properties;
  const { [COUNT]: _count, [SHORT_COUNT]: _short, [VALUE]: _value, ...others } = properties;
  return others;
}

function crowdOf(
  { source, properties, geometry, id }: MapGeoJSONFeature,
  drawn: Drawn | undefined,
  zoom: number,
): Crowd | undefined {
  if (drawn?.kind !== 'vector') return undefined;
  const filter = drawn.filter?.cql;
  const extent = extentOfShapes({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry }],
  });
  if (extent === undefined) return undefined;
  if (isOfGroups(source)) {
    // A point that stands alone is itself.
    if (geometry.type === 'Point') return undefined;
    const count = Number(properties[COUNT]);
    const within = { op: 's_intersects', args: [{ property: 'geometry' }, geometry] };
    return { count, extent, filter: filter === undefined ? within : { op: 'and', args: [filter, within] } };
  }
  const { overview } = drawn;
  if (overview === undefined || properties[overview.count] === undefined || id !== undefined) return undefined;
  const [west, south, east, north] = extent;
  const cell = cellAround(overview, [(west + east) / 2, (south + north) / 2], zoom);
  return { count: Number(properties[overview.count]), extent: cell, filter };
}

/** The middle of the cluster under the pointer; undefined: there is none, or a point that stands alone. */
function clusterAt(map: GlMap, { point }: MapMouseEvent): [number, number] | undefined {
  const [top] = map.queryRenderedFeatures(point).filter(({ source }) => !isBase(source) && !isDrawTool(source));
  if (top === undefined || !isOfGroups(top.source) || top.geometry.type !== 'Point') return undefined;
  const [lng, lat] = top.geometry.coordinates;
  const isOne = Number(top.properties[COUNT]) <= 1;
  return isOne || lng === undefined || lat === undefined ? undefined : [lng, lat];
}

function drawBoxes(map: GlMap, done: (extent: Extent) => void): () => void {
  const canvas = map.getCanvasContainer();
  const frame = document.createElement('div');
  frame.className = 'map-box';
  let from: { readonly x: number; readonly y: number } | undefined;
  const at = (event: PointerEvent): { x: number; y: number } => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    from = at(event);
    canvas.setPointerCapture(event.pointerId);
    canvas.append(frame);
  };
  const move = (event: PointerEvent): void => {
    if (from === undefined) return;
    const to = at(event);
    frame.style.left = `${Math.min(from.x, to.x)}px`;
    frame.style.top = `${Math.min(from.y, to.y)}px`;
    frame.style.width = `${Math.abs(to.x - from.x)}px`;
    frame.style.height = `${Math.abs(to.y - from.y)}px`;
  };
  const up = (event: PointerEvent): void => {
    if (from === undefined) return;
    const to = at(event);
    const [a, b] = [map.unproject([from.x, from.y]), map.unproject([to.x, to.y])];
    const isBox = Math.abs(from.x - to.x) > 4 && Math.abs(from.y - to.y) > 4;
    from = undefined;
    frame.remove();
    if (isBox) done([Math.min(a.lng, b.lng), Math.min(a.lat, b.lat), Math.max(a.lng, b.lng), Math.max(a.lat, b.lat)]);
  };
  map.dragPan.disable();
  canvas.addEventListener('pointerdown', down);
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerup', up);
  return () => {
    canvas.removeEventListener('pointerdown', down);
    canvas.removeEventListener('pointermove', move);
    canvas.removeEventListener('pointerup', up);
    frame.remove();
    map.dragPan.enable();
  };
}
