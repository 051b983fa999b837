// A value of a column → what people see of it. The one place that formats values: tables, pop-ups, dashboards and GetFeatureInfo ask it. Pure.

import type { ColumnFormat } from './column-format.ts';

export type ShownColumn = { readonly name: string; readonly format: ColumnFormat | undefined };

/** The reader's. */
export type ReaderWords = {
  /** As browsers name it: `de`. */
  readonly language: string;
  readonly yes: string;
  readonly no: string;
  /** For moments that say theirs; undefined: where the program runs. */
  readonly timeZone?: string;
};

export type Shown =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly to: string; readonly text: string }
  /** `from`: of this site, or in the value itself. */
  | { readonly kind: 'picture'; readonly from: string; readonly text: string };

export function showValue(value: unknown, { name, format }: ShownColumn, words: ReaderWords): Shown {
  if (value === null || value === undefined || value === '') return asText('');
  if (typeof value === 'boolean') return asText(value ? words.yes : words.no);
  if (typeof value === 'object') return asText(JSON.stringify(value));
  const text = String(value);
  if (format === undefined) return asText(typeof value === 'number' ? plainNumber(value, name, words) : text);
  switch (format.kind) {
    case 'number':
    case 'currency':
    case 'percent': {
      const n = numberOf(value);
      return asText(n === undefined ? text : numberFormat(words.language, numberOptions(format)).format(n));
    }
    case 'date':
      return asText(dateText(text, format, words) ?? text);
    case 'link': {
      const to = webAddress(text);
      return to === undefined ? asText(text) : { kind: 'link', to, text: format.text === '' ? text : format.text };
    }
    case 'email':
      return isEmail(text) ? { kind: 'link', to: `mailto:${text}`, text } : asText(text);
    case 'picture': {
      if (isOwnPicture(text)) return { kind: 'picture', from: text, text: fileName(text) };
      const to = webAddress(text);
      return to === undefined ? asText(text) : { kind: 'link', to, text: fileName(text) };
    }
  }
}

const asText = (text: string): Shown => ({ kind: 'text', text });

/** What has no more than four digits reads as well without separators, and may be a year. */
const GROUPED_FROM = 10_000;

/** Words of names of columns whose numbers are counted by nobody: ids, years, codes, in the languages of the pages. */
const NAMING = new Set(
  'id ids fid gid oid uid pk key objectid ogc code nr no ref year years jahr jahrgang baujahr annee année ano año zip plz postcode postleitzahl'.split(
    ' ',
  ),
);

/** Years, house numbers and keys are names made of digits: they have no separators. `column`: undefined: nobody knows. */
export function plainNumberOptions(value: number, column: string | undefined, digits = 6): Intl.NumberFormatOptions {
  const useGrouping = Math.abs(value) >= GROUPED_FROM && !(column !== undefined && isNaming(column));
  return { maximumFractionDigits: digits, useGrouping };
}

const plainNumber = (value: number, column: string, { language }: ReaderWords): string =>
  numberFormat(language, plainNumberOptions(value, column)).format(value);

/** `tree_id`, `treeId`, `ID`, `year built`, `Baujahr`. */
export function isNaming(column: string): boolean {
  const words = column
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]/u);
  return words.some((word) => NAMING.has(word));
}

function numberOptions(
  format: Extract<ColumnFormat, { readonly kind: 'number' | 'currency' | 'percent' }>,
): Intl.NumberFormatOptions {
  const { decimals } = format;
  const places = decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  switch (format.kind) {
    case 'number':
      return { maximumFractionDigits: 6, ...places, useGrouping: format.thousands };
    case 'currency':
      return { style: 'currency', currency: format.currency, ...places };
    case 'percent':
      return format.of === 1
        ? { style: 'percent', maximumFractionDigits: 2, ...places }
        : { style: 'unit', unit: 'percent', maximumFractionDigits: 2, ...places };
  }
}

/** Making one takes longer than using it, and a page of a table has the same few. */
const kept = new Map<string, Intl.NumberFormat>();
const MAX_KEPT = 200;

function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const made = new Intl.NumberFormat(language, options);
  kept.set(key, made);
  return made;
}

/** Numbers with more digits than JavaScript has come as texts of their digits, which are kept. */
function numberOf(value: unknown): number | Intl.StringNumericLiteral | undefined {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.slice(0, 200) : '';
  return /^-?\d{1,100}(?:\.\d{1,90})?$/.test(text) ? (text as Intl.StringNumericLiteral) : undefined;
}

/** Days and moments without a zone are those that stand there, wherever it is read. */
function dateText(
  text: string,
  { length, time }: Extract<ColumnFormat, { readonly kind: 'date' }>,
  { language, timeZone }: ReaderWords,
): string | undefined {
  const found = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?)?$/.exec(
    text,
  );
  if (found === null) return undefined;
  const [, day = '', hour, zone] = found;
  const at = new Date(`${day}T${hour ?? '00:00:00'}${zone === undefined ? 'Z' : fullZone(zone)}`);
  if (Number.isNaN(at.getTime())) return undefined;
  const zoned = zone === undefined ? 'UTC' : timeZone;
  return new Intl.DateTimeFormat(language, {
    dateStyle: length,
    ...(time && hour !== undefined ? { timeStyle: 'short' } : {}),
    ...(zoned === undefined ? {} : { timeZone: zoned }),
  }).format(at);
}

/** `+02` and `+0200`, as databases write it → `+02:00`. */
function fullZone(zone: string): string {
  if (zone === 'Z' || zone.includes(':')) return zone;
  return zone.length === 3 ? `${zone}:00` : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}

/** Nothing that runs: pages of the web, and of this site. */
function webAddress(text: string): string | undefined {
  if (/^https?:\/\/[^\s"<>]+$/i.test(text) || /^\/(?![/\\])[^\s"<>]*$/.test(text)) return text;
  return /^www\.[^\s"<>]+$/i.test(text) ? `https://${text}` : undefined;
}

const isEmail = (text: string): boolean => /^[^\s@<>"?&]{1,64}@[^\s@<>"?&]{1,255}$/.test(text);

/** Pages load no pictures of other sites, which would learn who looks. */
const isOwnPicture = (text: string): boolean =>
  /^\/(?![/\\])[^\s"<>]*$/.test(text) || /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(text);

function fileName(address: string): string {
  if (address.startsWith('data:')) return '';
  const path = address.split(/[?#]/, 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last === '' ? address : last;
}
