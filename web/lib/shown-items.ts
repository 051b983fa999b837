// What the content of a dashboard or story shows of the catalogue: who shares it with others is asked about these. Pure.

import { appContent } from './app-content.ts';
import { layersIn } from './dashboard/dashboard.ts';
import { type Media, parseStory } from './story.ts';

export type ShownItems = {
  /** Layers, tables and documents, by id. */
  readonly items: readonly number[];
  /** Maps, which show layers themselves. */
  readonly maps: readonly number[];
};

export function shownItems(data: unknown): ShownItems {
  const media = parseStory(data)?.sections.map((section) => section.media);
  if (media !== undefined) return { items: unique(media.flatMap(itemsOf)), maps: unique(media.flatMap(mapsOf)) };
  const content = appContent(data);
  return { items: content.kind === 'dashboard' ? layersIn(content.dashboard) : [], maps: [] };
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
