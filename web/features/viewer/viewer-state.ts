// What the viewer shows, and every way to change it. Pure.

import type { Layer } from '../../api/types.ts';
import type { Annotation } from '../../lib/annotations.ts';
import { type ExternalLayer, parseExternal } from '../../lib/external-layer.ts';
import { asked, type LayerFilter, parseLayerFilter } from '../../lib/layer-filter.ts';
import {
  type Bookmark,
  type FilterControl,
  type LayerGroup,
  type MapConfig,
  type Shows,
  USUAL_SHOWS,
} from '../../lib/map-config.ts';
import { type LayerLook, NO_LOOK, withLook } from '../../lib/presentation.ts';
import type { FeatureFilter, StyleLayer } from '../../map/drawn.ts';
import type { Swipe } from '../../map/MapView.tsx';
import { gathered, placedAt, stepped, steppedGroup } from './layer-groups.ts';

export type ViewerLayer = {
  /** Names it in this map: a layer may be in it twice. */
  readonly key: string;
  /** As this map shows its columns and its pop-up. */
  readonly layer: Layer;
  /** As the catalogue has it. */
  readonly record: Layer;
  /** What this map has changed of it. */
  readonly look: LayerLook;
  readonly visible: boolean;
  readonly opacity: number;
  readonly style: string | undefined;
  /** Of this map alone; undefined: as the layer has it. */
  readonly own: readonly StyleLayer[] | undefined;
  /** As it is being edited; undefined: as the style has it. */
  readonly draft: readonly StyleLayer[] | undefined;
  /** Which of its features the map shows. */
  readonly filter: LayerFilter | undefined;
  /** What readers may choose from, each by a column. */
  readonly controls: readonly FilterControl[];
  /** What the reader has chosen for now. */
  readonly passing: FeatureFilter | undefined;
  /** The id of its group; undefined: it is in none. */
  readonly group: string | undefined;
};

/** A layer of somebody else's service. */
export type ViewerExternal = {
  readonly key: string;
  readonly external: ExternalLayer;
  readonly visible: boolean;
  readonly opacity: number;
  readonly group: string | undefined;
};

/** What a map has, of the catalogue or of others. */
export type AnyLayer = ViewerLayer | ViewerExternal;

export const isExternal = (one: AnyLayer): one is ViewerExternal => 'external' in one;
export const isOfCatalogue = (one: AnyLayer): one is ViewerLayer => 'layer' in one;

/** Where a layer of the catalogue is, if it is that of a registered service; undefined: the portal has its data. */
export function remoteOf({ remote, title }: Pick<Layer, 'remote' | 'title'>): ExternalLayer | undefined {
  return remote === null ? undefined : parseExternal({ ...(remote as object), title });
}

/** As one of others: so they are drawn, asked and listed. */
export function externalOf(one: AnyLayer): ViewerExternal | undefined {
  if (isExternal(one)) return one;
  const external = remoteOf(one.layer);
  const { key, visible, opacity, group } = one;
  return external === undefined ? undefined : { key, external, visible, opacity, group };
}

/** Of the catalogue, with data of its own. */
export const hasData = (one: AnyLayer): one is ViewerLayer => isOfCatalogue(one) && remoteOf(one.layer) === undefined;
export const titleOf = (one: AnyLayer): string => (isExternal(one) ? one.external.title : one.layer.title);

export type ViewerState = {
  /** From the top to the bottom; those of a group stand next to each other. */
  readonly layers: readonly AnyLayer[];
  readonly groups: readonly LayerGroup[];
  readonly annotations: readonly Annotation[];
  readonly bookmarks: readonly Bookmark[];
  /** Its id; undefined: the usual one. */
  readonly basemap: string | undefined;
  /** Two layers that are compared, by their keys. */
  readonly swipe: Swipe | undefined;
  /** What its page and frames show beside the map itself. */
  readonly shows: Shows;
  readonly made: number;
};

export type ViewerAction =
  | { readonly kind: 'add'; readonly layer: Layer }
  | { readonly kind: 'add-external'; readonly external: ExternalLayer }
  | { readonly kind: 'remove'; readonly key: string }
  | { readonly kind: 'move'; readonly key: string; readonly by: -1 | 1 }
  /** To this place among the others, from the top. */
  | { readonly kind: 'place'; readonly key: string; readonly to: number; readonly group: string | undefined }
  | { readonly kind: 'add-group'; readonly id: string; readonly title: string }
  | {
      readonly kind: 'set-group';
      readonly id: string;
      readonly to: Partial<Pick<LayerGroup, 'title' | 'isOpen' | 'visible'>>;
    }
  | { readonly kind: 'move-group'; readonly id: string; readonly by: -1 | 1 }
  /** Its layers stay. */
  | { readonly kind: 'drop-group'; readonly id: string }
  /** A new one, or another state of one that is there. */
  | { readonly kind: 'annotate'; readonly annotation: Annotation }
  | { readonly kind: 'drop-annotation'; readonly id: string }
  | {
      readonly kind: 'set';
      readonly key: string;
      readonly to: Partial<Pick<ViewerLayer, 'visible' | 'opacity' | 'style' | 'own'>>;
    }
  | { readonly kind: 'draft'; readonly key: string; readonly layers: readonly StyleLayer[] | undefined }
  | { readonly kind: 'filter'; readonly key: string; readonly filter: LayerFilter | undefined }
  | { readonly kind: 'controls'; readonly key: string; readonly controls: readonly FilterControl[] }
  | { readonly kind: 'look'; readonly key: string; readonly look: LayerLook }
  /** The layer's record has changed. */
  | { readonly kind: 'layer'; readonly layer: Layer }
  | { readonly kind: 'basemap'; readonly id: string | undefined }
  | { readonly kind: 'swipe'; readonly swipe: Swipe | undefined }
  | { readonly kind: 'shows'; readonly shows: Shows }
  | { readonly kind: 'bookmark'; readonly bookmark: Bookmark }
  | { readonly kind: 'drop-bookmark'; readonly name: string };

export const EMPTY: ViewerState = {
  layers: [],
  groups: [],
  annotations: [],
  bookmarks: [],
  basemap: undefined,
  swipe: undefined,
  shows: USUAL_SHOWS,
  made: 0,
};

export function changeViewer(state: ViewerState, action: ViewerAction): ViewerState {
  const change = (layers: readonly AnyLayer[]): ViewerState => ({ ...state, layers });
  const each = (key: string, to: (one: ViewerLayer) => ViewerLayer): readonly AnyLayer[] =>
    state.layers.map((one) => (one.key === key && isOfCatalogue(one) ? to(one) : one));
  switch (action.kind) {
    case 'add':
      return { ...change([viewerLayer(action.layer, state.made), ...state.layers]), made: state.made + 1 };
    case 'add-external': {
      const added = { key: `l${state.made}`, external: action.external, visible: true, opacity: 1, group: undefined };
      return { ...change([added, ...state.layers]), made: state.made + 1 };
    }
    case 'remove':
      return change(state.layers.filter(({ key }) => key !== action.key));
    case 'move': {
      const layers = stepped(state.layers, state.groups, action.key, action.by);
      return layers === state.layers ? state : change(layers);
    }
    case 'place': {
      const layers = placedAt(state.layers, action.key, action.to, action.group);
      return layers === state.layers ? state : change(layers);
    }
    case 'add-group':
      return {
        ...state,
        groups: [...state.groups, { id: action.id, title: action.title, isOpen: true, visible: true }],
      };
    case 'set-group':
      return {
        ...state,
        groups: state.groups.map((one) => (one.id === action.id ? { ...one, ...action.to } : one)),
      };
    case 'move-group':
      return change(steppedGroup(state.layers, state.groups, action.id, action.by));
    case 'drop-group':
      return {
        ...state,
        groups: state.groups.filter(({ id }) => id !== action.id),
        layers: state.layers.map((one) => (one.group === action.id ? { ...one, group: undefined } : one)),
      };
    case 'annotate': {
      const { annotation } = action;
      const isThere = state.annotations.some(({ id }) => id === annotation.id);
      return {
        ...state,
        annotations: isThere
          ? state.annotations.map((one) => (one.id === annotation.id ? annotation : one))
          : [...state.annotations, annotation],
      };
    }
    case 'drop-annotation':
      return { ...state, annotations: state.annotations.filter(({ id }) => id !== action.id) };
    case 'set': {
      const { visible, opacity } = action.to;
      return change(
        state.layers.map((one) => {
          if (one.key !== action.key) return one;
          if (isExternal(one)) return { ...one, visible: visible ?? one.visible, opacity: opacity ?? one.opacity };
          return { ...one, ...action.to, ...('style' in action.to ? { draft: undefined, own: undefined } : {}) };
        }),
      );
    }
    // Does not belong to the map that is saved.
    case 'draft':
      return { ...state, layers: each(action.key, (one) => ({ ...one, draft: action.layers })) };
    case 'filter':
      return { ...state, layers: each(action.key, (one) => ({ ...one, filter: action.filter })) };
    case 'controls':
      return { ...state, layers: each(action.key, (one) => ({ ...one, controls: action.controls })) };
    case 'look':
      return { ...state, layers: each(action.key, (one) => looking(one, one.record, action.look)) };
    case 'layer':
      return {
        ...state,
        layers: state.layers.map((one) =>
          isOfCatalogue(one) && one.layer.pk === action.layer.pk ? looking(one, action.layer, one.look) : one,
        ),
      };
    case 'basemap':
      return { ...state, basemap: action.id };
    case 'swipe':
      return { ...state, swipe: action.swipe };
    case 'shows':
      return { ...state, shows: action.shows };
    case 'bookmark':
      return {
        ...state,
        bookmarks: [...state.bookmarks.filter(({ name }) => name !== action.bookmark.name), action.bookmark],
      };
    case 'drop-bookmark':
      return { ...state, bookmarks: state.bookmarks.filter(({ name }) => name !== action.name) };
  }
}

const looking = (one: ViewerLayer, record: Layer, look: LayerLook): ViewerLayer => ({
  ...one,
  record,
  look,
  layer: withLook(record, look),
});

const NO_CONTROLS: readonly FilterControl[] = [];

function viewerLayer(layer: Layer, made: number): ViewerLayer {
  return {
    key: `l${made}`,
    layer,
    record: layer,
    look: NO_LOOK,
    visible: true,
    opacity: 1,
    style: undefined,
    own: undefined,
    draft: undefined,
    filter: parseLayerFilter(layer.default_filter),
    controls: NO_CONTROLS,
    passing: undefined,
    group: undefined,
  };
}

/** As the map shows them: a layer of a hidden group is hidden. */
export function seenLayers({ layers, groups }: Pick<ViewerState, 'layers' | 'groups'>): readonly AnyLayer[] {
  const hidden = new Set(groups.filter(({ visible }) => !visible).map(({ id }) => id));
  if (hidden.size === 0) return layers;
  return layers.map((one) => (one.group !== undefined && hidden.has(one.group) ? { ...one, visible: false } : one));
}

/** Layers that the reader may not see, or that are gone, are left out. */
export function openMap(config: MapConfig, known: readonly Layer[]): ViewerState {
  const byName = new Map(
    known.flatMap((layer) => [[layer.alternate ?? '', layer] as const, [layer.name, layer] as const]),
  );
  const layers = config.layers.flatMap((one, i): readonly AnyLayer[] => {
    if ('external' in one) return [{ key: `l${i}`, ...one }];
    const layer = byName.get(one.alternate);
    if (layer === undefined) return [];
    const { visible, opacity, style, own, filter, controls, look, group } = one;
    return [
      {
        ...looking(viewerLayer(layer, i), layer, look),
        visible,
        opacity,
        own,
        filter,
        controls,
        group,
        style: layer.styles.some(({ name }) => name === style) ? style : undefined,
      },
    ];
  });
  const { groups, annotations, bookmarks, basemap, shows } = config;
  const keyAt = (i: number): string => `l${i}`;
  const compared = config.swipe;
  const swipe = compared && {
    left: keyAt(compared.left),
    right: compared.right === undefined ? '' : keyAt(compared.right),
    at: compared.at,
  };
  const state = {
    layers: gathered(layers),
    groups,
    annotations,
    bookmarks,
    basemap,
    shows,
    made: config.layers.length,
  };
  return { ...state, swipe: swipedOf({ layers, swipe }) };
}

/** A layer that was removed, or that the reader does not see, is on neither side. */
export function swipedOf({ layers, swipe }: Pick<ViewerState, 'layers' | 'swipe'>): Swipe | undefined {
  const isThere = (key: string): boolean => layers.some((one) => one.key === key);
  return swipe !== undefined && isThere(swipe.left) && (swipe.right === '' || isThere(swipe.right)) ? swipe : undefined;
}

export function configOf(state: ViewerState, view: Pick<MapConfig, 'center' | 'zoom'>): MapConfig {
  const placeOf = (key: string): number => state.layers.findIndex((one) => one.key === key);
  const swiped = swipedOf(state);
  return {
    ...view,
    layers: state.layers.map((one) => {
      const { visible, opacity, group } = one;
      if (isExternal(one)) return { external: one.external, visible, opacity, group };
      const { layer, style, own, controls, look } = one;
      const filter = asked(one.filter);
      const named = { alternate: layer.alternate ?? layer.name, title: layer.title };
      return { ...named, visible, opacity, style, own, filter, controls, look, group };
    }),
    groups: state.groups,
    annotations: state.annotations,
    bookmarks: state.bookmarks,
    basemap: state.basemap,
    shows: state.shows,
    swipe: swiped && {
      left: placeOf(swiped.left),
      right: swiped.right === '' ? undefined : placeOf(swiped.right),
      at: Math.round(swiped.at * 1000) / 1000,
    },
  };
}

/** What of it is saved, but for where one looks and which groups are folded: text that is another when the map has changed. */
export function contentOf(state: ViewerState): string {
  const groups = state.groups.map((one) => ({ ...one, isOpen: true }));
  return JSON.stringify(configOf({ ...state, groups }, { center: [0, 0], zoom: 0 }));
}

/** A new map with the same layers. */
export function addressOf(state: ViewerState): string {
  return `/viewer?${state.layers
    .filter(isOfCatalogue)
    .map(({ layer }) => `layer=${layer.pk}`)
    .join('&')}`;
}
