// Elements of XML as text: what stands in them is escaped here, and what is not known leaves no element behind.

import { escapeXml } from '../../kernel/escape-xml.ts';

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** `<name>text</name>`; nothing where there is no text. */
export function textElement(name: string, text: string | number | undefined): string {
  return text === undefined || text === '' ? '' : `<${name}>${escapeXml(String(text))}</${name}>`;
}

/** `<name a="…">children</name>`; the children are XML already. Nothing where there are none. */
export function element(name: string, children: string, attributes: Readonly<Record<string, string>> = {}): string {
  return children === '' ? '' : `<${name}${attributesText(attributes)}>${children}</${name}>`;
}

/** `<name a="…"/>` */
export function emptyElement(name: string, attributes: Readonly<Record<string, string>>): string {
  return `<${name}${attributesText(attributes)}/>`;
}

export function attributesText(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}

/** `2020-03-01` of a time in ISO 8601. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}
