// Stories: sections of text, pictures and maps, one after the other. Read from whatever the portal holds; written as JSON. Pure.

import type { View } from './view-hash.ts';

export type Media =
  | { readonly kind: 'none' }
  /** A document of the portal that is a picture. */
  | { readonly kind: 'image'; readonly document: number; readonly alt: string }
  | { readonly kind: 'map'; readonly map: number; readonly view: View | undefined }
  | { readonly kind: 'layer'; readonly layer: number; readonly view: View | undefined };

export const LAYOUTS = ['side', 'wide', 'cover'] as const;
export type Layout = (typeof LAYOUTS)[number];

export type Section = {
  readonly id: string;
  readonly title: string;
  /** In the simple markup of `markup.ts`. */
  readonly text: string;
  readonly layout: Layout;
  readonly media: Media;
};
export type Story = { readonly sections: readonly Section[] };

const TYPE = 'survest-story';
const MAX_SECTIONS = 200;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown, max: number): string => (typeof value === 'string' ? value.slice(0, max) : '');
const idIn = (value: unknown): number | undefined =>
  Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined;

/** Undefined: this is no story of ours. */
export function parseStory(data: unknown): Story | undefined {
  if (!isObject(data) || data['type'] !== TYPE || !Array.isArray(data['sections'])) return undefined;
  return {
    sections: data['sections']
      .filter(isObject)
      .slice(0, MAX_SECTIONS)
      .map((section, i) => ({
        id: text(section['id'], 50) || `s${i + 1}`,
        title: text(section['title'], 255),
        text: text(section['text'], 50_000),
        layout: LAYOUTS.find((layout) => layout === section['layout']) ?? 'side',
        media: parseMedia(section['media']),
      })),
  };
}

function parseMedia(media: unknown): Media {
  if (!isObject(media)) return { kind: 'none' };
  const [document, map, layer] = [idIn(media['document']), idIn(media['map']), idIn(media['layer'])];
  if (media['kind'] === 'image' && document !== undefined)
    return { kind: 'image', document, alt: text(media['alt'], 500) };
  if (media['kind'] === 'map' && map !== undefined) return { kind: 'map', map, view: parseView(media['view']) };
  if (media['kind'] === 'layer' && layer !== undefined) return { kind: 'layer', layer, view: parseView(media['view']) };
  return { kind: 'none' };
}

function parseView(view: unknown): View | undefined {
  if (!isObject(view) || !Array.isArray(view['center'])) return undefined;
  const [lng, lat] = view['center'].map(Number);
  const zoom = Number(view['zoom']);
  if (lng === undefined || lat === undefined || ![lng, lat, zoom].every(Number.isFinite)) return undefined;
  return {
    center: [Math.min(180, Math.max(-180, lng)), Math.min(85, Math.max(-85, lat))],
    zoom: Math.min(22, Math.max(0, zoom)),
  };
}

export function storyData(story: Story): unknown {
  return { type: TYPE, version: 1, sections: story.sections };
}

export function newSection(n: number, layout: Layout = 'side'): Section {
  return { id: `s${n}`, title: '', text: '', layout, media: { kind: 'none' } };
}

export function moved(sections: readonly Section[], from: number, by: -1 | 1): readonly Section[] {
  const to = from + by;
  const [one, other] = [sections[from], sections[to]];
  if (one === undefined || other === undefined) return sections;
  return sections.map((section, i) => (i === from ? other : i === to ? one : section));
}
