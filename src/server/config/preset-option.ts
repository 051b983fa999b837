// The setting `api-presets`: an object in JSON, best kept in a file of its own (`api-presets = "@/etc/survest/presets.json"`).

import type { OptionType } from '../../kernel/options/option.ts';
import { quoteText } from '../../kernel/options/quote-text.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Preset, Presets } from '../../portal/query/presets.ts';

/** What was parsed, and the text it was parsed from, which is what is dumped. */
export type PresetsSetting = { readonly text: string; readonly presets: Presets };

export const NO_PRESETS: PresetsSetting = { text: '', presets: new Map() };

const MAX_PRESETS = 100;
const MAX_FIELDS = 100;
const MAX_TEXT = 100_000;

export const presetsType: OptionType<PresetsSetting> = {
  accepts:
    'an object in JSON, or @ and the path of a file that holds one: {"name": {"include": ["field", …], "exclude": ["*"]}, …}',
  parse(raw) {
    if (raw.kind !== 'text') return err('must be a text in double quotes');
    if (raw.text.trim() === '') return ok(NO_PRESETS);
    if (raw.text.length > MAX_TEXT) return err(`is longer than ${MAX_TEXT} characters`);
    const presets = parsePresets(raw.text);
    return presets.ok ? ok({ text: raw.text, presets: presets.value }) : presets;
  },
  print: ({ text }) => quoteText(text),
};

function parsePresets(text: string): Result<Presets, string> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return err('is not JSON');
  }
  if (!isObject(given)) return err('is not an object');
  const entries = Object.entries(given);
  if (entries.length > MAX_PRESETS) return err(`has more than ${MAX_PRESETS} presets`);
  const presets = new Map<string, Preset>();
  for (const [name, value] of entries) {
    const preset = isObject(value) ? presetOf(value) : undefined;
    if (preset === undefined)
      return err(`preset ${name}: is no object of the lists include and exclude, with ${MAX_FIELDS} names at most`);
    presets.set(name, preset);
  }
  return ok(presets);
}

function presetOf({ include = [], exclude = [], ...others }: Readonly<Record<string, unknown>>): Preset | undefined {
  return Object.keys(others).length === 0 && isNames(include) && isNames(exclude) ? { include, exclude } : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_FIELDS && value.every((name) => typeof name === 'string');
}
