// What the viewer shows, and every way to change it. Pure.

import type { Layer } from '../../api/types.ts';
import type { Bookmark, MapConfig } from '../../lib/map-config.ts';
import type { StyleLayer } from '../../map/drawn.ts';

export type ViewerLayer = {
  /** Names it in this map: a layer may be in it twice. */
  readonly key: string;
  readonly layer: Layer;
  readonly visible: boolean;
  readonly opacity: number;
  readonly style: string | undefined;
  /** Of this map alone; undefined: as the layer has it. */
  readonly own: readonly StyleLayer[] | undefined;
  /** As it is being edited; undefined: as the style has it. */
  readonly draft: readonly StyleLayer[] | undefined;
  readonly filter: unknown;
};

export type ViewerState = {
  /** From the top to the bottom. */
  readonly layers: readonly ViewerLayer[];
  readonly bookmarks: readonly Bookmark[];
  /** Its id; undefined: the usual one. */
  readonly basemap: string | undefined;
  readonly made: number;
};

export type ViewerAction =
  | { readonly kind: 'add'; readonly layer: Layer }
  | { readonly kind: 'remove'; readonly key: string }
  | { readonly kind: 'move'; readonly key: string; readonly by: -1 | 1 }
  | {
      readonly kind: 'set';
      readonly key: string;
      readonly to: Partial<Pick<ViewerLayer, 'visible' | 'opacity' | 'style' | 'own'>>;
    }
  | { readonly kind: 'draft'; readonly key: string; readonly layers: readonly StyleLayer[] | undefined }
  | { readonly kind: 'filter'; readonly key: string; readonly filter: unknown }
  /** The layer's record has changed. */
  | { readonly kind: 'layer'; readonly layer: Layer }
  | { readonly kind: 'basemap'; readonly id: string | undefined }
  | { readonly kind: 'bookmark'; readonly bookmark: Bookmark }
  | { readonly kind: 'drop-bookmark'; readonly name: string };

export const EMPTY: ViewerState = { layers: [], bookmarks: [], basemap: undefined, made: 0 };

export function changeViewer(state: ViewerState, action: ViewerAction): ViewerState {
  const change = (layers: readonly ViewerLayer[]): ViewerState => ({ ...state, layers });
  const each = (key: string, to: (one: ViewerLayer) => ViewerLayer): readonly ViewerLayer[] =>
    state.layers.map((one) => (one.key === key ? to(one) : one));
  switch (action.kind) {
    case 'add':
      return { ...change([viewerLayer(action.layer, state.made), ...state.layers]), made: state.made + 1 };
    case 'remove':
      return change(state.layers.filter(({ key }) => key !== action.key));
    case 'move': {
      const from = state.layers.findIndex(({ key }) => key === action.key);
      const to = from + action.by;
      const [one, other] = [state.layers[from], state.layers[to]];
      if (one === undefined || other === undefined) return state;
      return change(state.layers.map((layer, i) => (i === from ? other : i === to ? one : layer)));
    }
    case 'set':
      return change(
        each(action.key, (one) => ({
          ...one,
          ...action.to,
          ...('style' in action.to ? { draft: undefined, own: undefined } : {}),
        })),
      );
    // Neither belongs to the map that is saved.
    case 'draft':
      return { ...state, layers: each(action.key, (one) => ({ ...one, draft: action.layers })) };
    case 'filter':
      return { ...state, layers: each(action.key, (one) => ({ ...one, filter: action.filter })) };
    case 'layer':
      return {
        ...state,
        layers: state.layers.map((one) => (one.layer.pk === action.layer.pk ? { ...one, layer: action.layer } : one)),
      };
    case 'basemap':
      return { ...state, basemap: action.id };
    case 'bookmark':
      return {
        ...state,
        bookmarks: [...state.bookmarks.filter(({ name }) => name !== action.bookmark.name), action.bookmark],
      };
    case 'drop-bookmark':
      return { ...state, bookmarks: state.bookmarks.filter(({ name }) => name !== action.name) };
  }
}

function viewerLayer(layer: Layer, made: number): ViewerLayer {
  return {
    key: `l${made}`,
    layer,
    visible: true,
    opacity: 1,
    style: undefined,
    own: undefined,
    draft: undefined,
    filter: undefined,
  };
}

/** Layers that the reader may not see, or that are gone, are left out. */
export function openMap(config: MapConfig, known: readonly Layer[]): ViewerState {
  const byName = new Map(
    known.flatMap((layer) => [[layer.alternate ?? '', layer] as const, [layer.name, layer] as const]),
  );
  const layers = config.layers.flatMap((one, i) => {
    const layer = byName.get(one.alternate);
    if (layer === undefined) return [];
    const { visible, opacity, style, own } = one;
    return [
      {
        ...viewerLayer(layer, i),
        visible,
        opacity,
        own,
        style: layer.styles.some(({ name }) => name === style) ? style : undefined,
      },
    ];
  });
  return { layers, bookmarks: config.bookmarks, basemap: config.basemap, made: config.layers.length };
}

export function configOf(state: ViewerState, view: Pick<MapConfig, 'center' | 'zoom'>): MapConfig {
  return {
    ...view,
    layers: state.layers.map(({ layer, visible, opacity, style, own }) => ({
      alternate: layer.alternate ?? layer.name,
      title: layer.title,
      visible,
      opacity,
      style,
      own,
    })),
    bookmarks: state.bookmarks,
    basemap: state.basemap,
  };
}

/** What of it is saved, but for where one looks: text that is another when the map has changed. */
export function contentOf(state: ViewerState): string {
  return JSON.stringify(configOf(state, { center: [0, 0], zoom: 0 }));
}

/** A new map with the same layers. */
export function addressOf(state: ViewerState): string {
  return `/viewer?${state.layers.map(({ layer }) => `layer=${layer.pk}`).join('&')}`;
}
