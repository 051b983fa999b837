// Children and text of elements. Pure.

import type { XmlElement } from '../../../geo/style/xml-tree.ts';

export function elements({ children }: XmlElement): XmlElement[] {
  return children.filter((child): child is XmlElement => typeof child !== 'string');
}

export function textOf({ children }: XmlElement): string {
  return children.filter((child): child is string => typeof child === 'string').join('');
}

/** `portal:places/portal:name` and `portal:name` are `name`. */
export function withoutPrefix(path: string): string {
  const last = path.trim().split('/').at(-1) ?? '';
  return last.slice(last.indexOf(':') + 1);
}
