// Which SLD a document says it is. Text that is no XML counts as the older one: it is kept as it was sent.

import { parseXml } from './xml-tree.ts';

export function sldVersion(text: string): '1.0.0' | '1.1.0' {
  const root = parseXml(text);
  return root.ok && root.value.attributes['version']?.startsWith('1.1') === true ? '1.1.0' : '1.0.0';
}
