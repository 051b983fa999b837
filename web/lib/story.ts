// Stories: sections of text, pictures, videos, maps, charts and pages of other sites, one after the other. Read from whatever the portal holds; written as JSON. Pure.

import { parseWidget, type Widget } from './dashboard/dashboard.ts';
import type { View } from './view-hash.ts';

export type Media =
  | { readonly kind: 'none' }
  /** A document of the portal that is a picture. */
  | { readonly kind: 'image'; readonly document: number; readonly alt: string }
  | { readonly kind: 'video'; readonly document: number; readonly alt: string }
  /** A page of another site, if the portal's settings allow that site. */
  | { readonly kind: 'embed'; readonly url: string; readonly alt: string }
  /** A chart, number or table, as dashboards have them. */
  | { readonly kind: 'widget'; readonly widget: Widget }
  | { readonly kind: 'map'; readonly map: number; readonly view: View | undefined }
  | { readonly kind: 'layer'; readonly layer: number; readonly view: View | undefined };

/** `side`: left and right in turn. */
export const LAYOUTS = ['side', 'left', 'right', 'wide', 'cover'] as const;
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
  if (media['kind'] === 'video' && document !== undefined)
    return { kind: 'video', document, alt: text(media['alt'], 500) };
  if (media['kind'] === 'embed') {
    const url = text(media['url'], 2000);
    return hostOf(url) === undefined ? { kind: 'none' } : { kind: 'embed', url, alt: text(media['alt'], 500) };
  }
  if (media['kind'] === 'widget' && isObject(media['widget'])) {
    const widget = parseWidget(media['widget'], 'w1');
    return widget === undefined ? { kind: 'none' } : { kind: 'widget', widget };
  }
  if (media['kind'] === 'map' && map !== undefined) return { kind: 'map', map, view: parseView(media['view']) };
  if (media['kind'] === 'layer' && layer !== undefined) return { kind: 'layer', layer, view: parseView(media['view']) };
  return { kind: 'none' };
}

/** Of an address that can be embedded; undefined: it is none of HTTPS. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? host : undefined;
}

/** Sections one after the other over the same map or layer: it stays in sight and moves from view to view as one reads. */
export type Part =
  | { readonly kind: 'section'; readonly section: Section }
  | { readonly kind: 'tour'; readonly sections: readonly Section[] };

export function partsOf({ sections }: Story): readonly Part[] {
  const parts: Part[] = [];
  for (const section of sections) {
    const last = parts.at(-1);
    const before = last === undefined ? undefined : last.kind === 'tour' ? last.sections.at(-1) : last.section;
    if (before !== undefined && last !== undefined && isSameMap(before, section)) {
      const together = last.kind === 'tour' ? last.sections : [last.section];
      parts[parts.length - 1] = { kind: 'tour', sections: [...together, section] };
    } else parts.push({ kind: 'section', section });
  }
  return parts;
}

function isSameMap(one: Section, other: Section): boolean {
  const isBeside = ({ layout }: Section): boolean => layout === 'side' || layout === 'left' || layout === 'right';
  if (!isBeside(one) || !isBeside(other)) return false;
  const [a, b] = [one.media, other.media];
  return (
    (a.kind === 'map' && b.kind === 'map' && a.map === b.map) ||
    (a.kind === 'layer' && b.kind === 'layer' && a.layer === b.layer)
  );
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
