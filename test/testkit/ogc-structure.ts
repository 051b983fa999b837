// Documents of OGC and ISO held against the structure that their schemas give them: which elements and attributes stand where, in which order, and
// which attributes have to be there. The facts in ogc-structure.json were taken from the schemas once, for the types that our documents use; an
// element that no fact allows is a fault.

import { readFileSync } from 'node:fs';
import { SaxesParser } from 'saxes';

type Facts = {
  /** By the prefix that the facts use. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** By kind of document: the types of elements that stand for themselves. */
  readonly elements: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly types: Readonly<Record<string, TypeFacts>>;
};
type TypeFacts = {
  /** Names; a mark behind one that is required. */
  readonly attributes?: string;
  /** Place in the order, name, and type where it has parts of its own. */
  readonly parts?: readonly string[];
  readonly any?: boolean;
  readonly anyAttribute?: boolean;
};

const FACTS = JSON.parse(readFileSync(new URL('./ogc-structure.json', import.meta.url), 'utf8')) as Facts;
const PREFIXES = new Map(Object.entries(FACTS.namespaces).map(([prefix, uri]) => [uri, prefix]));
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

type Open = { readonly type: string | undefined; readonly path: string; last: number };

/** What does not stand where its schema wants it; `kind`: of the document, by which its elements are known. */
export function structureFaults(kind: string, xml: string): readonly string[] {
  const known = FACTS.elements[kind] ?? {};
  const faults = new Set<string>();
  const open: Open[] = [];
  const nameOf = (uri: string, local: string): string => (uri === '' ? local : `${PREFIXES.get(uri) ?? uri}:${local}`);
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => faults.add(error.message));
  parser.on('opentag', ({ uri, local, attributes }) => {
    const name = nameOf(uri, local);
    const parent = open.at(-1);
    const path = parent === undefined ? name : `${parent.path}/${name}`;
    const type = typeOf(name, parent, path);
    open.push({ type, path, last: -1 });
    if (type === undefined) return;
    const facts = FACTS.types[type] ?? {};
    const allowed = (facts.attributes ?? '').split(' ');
    const given = Object.values(attributes)
      .filter((one) => ![XSI, XML, XMLNS].includes(one.uri))
      .map((one) => nameOf(one.uri, one.local));
    for (const one of given)
      if (facts.anyAttribute !== true && !allowed.includes(one) && !allowed.includes(`${one}!`))
        faults.add(`${path} has an attribute ${one}`);
    for (const one of allowed)
      if (one.endsWith('!') && !given.includes(one.slice(0, -1))) faults.add(`${path} has no ${one}`);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(xml).close();
  return [...faults];

  /** Undefined: a value, or something of another kind, in which known elements are looked for. */
  function typeOf(name: string, parent: Open | undefined, path: string): string | undefined {
    if (parent?.type === undefined) {
      if (parent === undefined && known[name] === undefined) faults.add(`${name} begins no document`);
      return known[name];
    }
    const { parts = [], any = false } = FACTS.types[parent.type] ?? {};
    const found = parts.map((part) => part.split(' ')).find(([, part]) => part === name);
    if (found === undefined) {
      const isOurs = name.startsWith('urn:survest:');
      if (!any && !isOurs) faults.add(`${path} is not expected`);
      return known[name];
    }
    const place = Number(found[0]);
    if (place < parent.last) faults.add(`${path} is out of order`);
    parent.last = Math.max(parent.last, place);
    return found[2];
  }
}
