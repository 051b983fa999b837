// A template with `{{column}}` and the values of a feature → text, or HTML in which values are nothing but text. What the template's own HTML may do is
// for who shows it to decide: it is as harmless as its author. Pure.

import { escapeXml } from '../../kernel/escape-xml.ts';
import { type ReaderWords, type Shown, type ShownColumn, showValue } from './show-value.ts';

type Row = Readonly<Record<string, unknown>>;

/** Ours, and those of templates that were written for GeoNode. A tag begins and ends, so that addresses get values as they are. */
const PARTS =
  /\{\{\s*([^{}\s][^{}]{0,254})\}\}|\$\{\s*properties(?:\.([\p{L}\d_]{1,255})|\[['"]([^'"\]]{1,255})['"]\])\s*\}|<(?=[a-z/!])|>/giu;

/** Names of columns of which there is none are nothing. */
export function fillHtml(template: string, row: Row, columns: readonly ShownColumn[], words: ReaderWords): string {
  const byName = new Map(columns.map((column) => [column.name, column]));
  let isInTag = false;
  return template.replace(PARTS, (whole, ours?: string, dotted?: string, quoted?: string) => {
    const name = (ours ?? dotted ?? quoted)?.trim();
    if (name === undefined) {
      isInTag = whole === '<';
      return whole;
    }
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (isInTag) return escapeXml(rawText(value));
    return shownHtml(showValue(value, byName.get(name) ?? { name, format: undefined }, words));
  });
}

/** A line without markup, such as a title. */
export function fillText(template: string, row: Row, columns: readonly ShownColumn[], words: ReaderWords): string {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return template.replace(PARTS, (whole, ours?: string, dotted?: string, quoted?: string) => {
    const name = (ours ?? dotted ?? quoted)?.trim();
    if (name === undefined) return whole;
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    return showValue(value, byName.get(name) ?? { name, format: undefined }, words).text;
  });
}

export function shownHtml(shown: Shown): string {
  switch (shown.kind) {
    case 'text':
      return escapeXml(shown.text);
    case 'link':
      return `<a href="${escapeXml(shown.to)}">${escapeXml(shown.text)}</a>`;
    case 'picture':
      return `<img src="${escapeXml(shown.from)}" alt="${escapeXml(shown.text)}">`;
  }
}

function rawText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
