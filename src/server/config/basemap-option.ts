// The setting `basemaps`: a list in JSON, best kept in a file of its own (`basemaps = "@/etc/survest/basemaps.json"`).

import type { OptionType } from '../../kernel/options/option.ts';
import { quoteText } from '../../kernel/options/quote-text.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { BasemapSetting } from '../../layer-ports/basemap.ts';
import { parseBasemap } from '../../portal/basemaps/parse-basemap.ts';

/** What was parsed, and the text it was parsed from, which is what is dumped. */
export type BasemapsSetting = { readonly text: string; readonly list: readonly BasemapSetting[] };

export const NO_BASEMAPS: BasemapsSetting = { text: '', list: [] };

const MAX_BASEMAPS = 50;
const MAX_TEXT = 100_000;

export const basemapsType: OptionType<BasemapsSetting> = {
  accepts:
    'a list in JSON, or @ and the path of a file that holds one: objects with id, title, type (style, xyz, wmts, wms, pmtiles) and url or path, as docs/maps-and-styles.md describes them',
  parse(raw) {
    if (raw.kind !== 'text') return err('must be a text in double quotes');
    if (raw.text.trim() === '') return ok(NO_BASEMAPS);
    if (raw.text.length > MAX_TEXT) return err(`is longer than ${MAX_TEXT} characters`);
    const list = parseList(raw.text);
    return list.ok ? ok({ text: raw.text, list: list.value }) : list;
  },
  print: ({ text }) => quoteText(text),
};

function parseList(text: string): Result<readonly BasemapSetting[], string> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return err('is not JSON');
  }
  if (!Array.isArray(given)) return err('is not a list');
  if (given.length > MAX_BASEMAPS) return err(`has more than ${MAX_BASEMAPS} basemaps`);
  const list: BasemapSetting[] = [];
  for (const [i, entry] of given.entries()) {
    const parsed = parseBasemap(entry);
    if (!parsed.ok) return err(`basemap ${i + 1}: ${parsed.error}`);
    if (list.some(({ id }) => id === parsed.value.id)) return err(`basemap ${i + 1}: another one has the same id`);
    list.push(parsed.value);
  }
  if (list.filter(({ isDefault }) => isDefault).length > 1) return err('only one of them can be the default');
  return ok(list);
}
