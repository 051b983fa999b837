// What an app holds, told apart by how it can be shown: a dashboard, the configuration of a map viewer, a story, or anything else. Read from
// whatever is there: apps are also made by other programs. Pure.

import { type Dashboard, parseDashboard } from './dashboard/dashboard.ts';
import { type MapConfig, parseMapConfig } from './map-config.ts';
import { parseStory, type Story } from './story.ts';

export type AppContent =
  | { readonly kind: 'empty' }
  | { readonly kind: 'map'; readonly config: MapConfig }
  | { readonly kind: 'dashboard'; readonly dashboard: Dashboard }
  | { readonly kind: 'story'; readonly story: Story }
  | { readonly kind: 'other'; readonly data: unknown };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function appContent(data: unknown): AppContent {
  const value = typeof data === 'string' ? jsonOf(data) : data;
  if (value === null || value === undefined || value === '') return { kind: 'empty' };
  if (typeof value === 'object' && Object.keys(value).length === 0) return { kind: 'empty' };
  const dashboard = parseDashboard(value);
  if (dashboard !== undefined) return { kind: 'dashboard', dashboard };
  const story = parseStory(value);
  if (story !== undefined) return { kind: 'story', story };
  if (isViewerConfig(value)) return { kind: 'map', config: parseMapConfig(value) };
  return { kind: 'other', data: value };
}

/** Some clients send the document as text within JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isViewerConfig(value: unknown): boolean {
  if (!isObject(value)) return false;
  const map = isObject(value['map']) ? value['map'] : value;
  return Array.isArray(map['layers']) && (isObject(map['center']) || map['zoom'] !== undefined);
}
