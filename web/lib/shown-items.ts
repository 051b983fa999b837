// What the content of a dashboard or story shows of the catalogue: who shares it with others is asked about these. Pure.

import { appContent } from './app-content.ts';
import { layersIn, type Widget } from './dashboard/dashboard.ts';
import { type Media, parseStory } from './story.ts';

export type ShownItems = {
  /** Layers, tables and documents, by id. */
  readonly items: readonly number[];
  /** Maps, which show layers themselves. */
  readonly maps: readonly number[];
  /** Those of the items whose rows are listed: seeing these is downloading them. */
  readonly rows: readonly number[];
};

export function shownItems(data: unknown): ShownItems {
  const media = parseStory(data)?.sections.map((section) => section.media);
  if (media !== undefined)
    return {
      items: unique(media.flatMap(itemsOf)),
      maps: unique(media.flatMap(mapsOf)),
      rows: unique(media.flatMap((one) => (one.kind === 'widget' ? rowsOf(one.widget) : []))),
    };
  const content = appContent(data);
  if (content.kind !== 'dashboard') return { items: [], maps: [], rows: [] };
  return {
    items: layersIn(content.dashboard),
    maps: [],
    rows: unique(content.dashboard.widgets.flatMap(rowsOf)),
  };
}

function rowsOf({ kind, layer }: Widget): readonly number[] {
  return kind === 'table' && layer !== undefined ? [layer] : [];
}

function itemsOf(media: Media): readonly number[] {
  switch (media.kind) {
    case 'image':
    case 'video':
      return [media.document];
    case 'layer':
      return [media.layer];
    case 'widget':
      return media.widget.layer === undefined ? [] : [media.widget.layer];
    case 'map':
    case 'embed':
    case 'none':
      return [];
  }
}

const mapsOf = (media: Media): readonly number[] => (media.kind === 'map' ? [media.map] : []);

const unique = (ids: readonly number[]): readonly number[] => [...new Set(ids)];
