// XML → a small tree without namespaces' prefixes, for documents of people we do not know: no document type (so no entities of
// its own, nothing fetched, nothing that grows), bounded in length, depth and number of elements.

import { SaxesParser } from 'saxes';
import { err, ok, type Result } from '../../kernel/result.ts';

export type XmlElement = {
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
};

export type XmlFault = { readonly message: string };

export type XmlLimits = { readonly bytes: number; readonly elements: number; readonly depth: number };

const LIMITS: XmlLimits = { bytes: 5_000_000, elements: 100_000, depth: 100 };

type Open = { name: string; attributes: Record<string, string>; children: (XmlElement | string)[] };

export function parseXml(text: string, limits: XmlLimits = LIMITS): Result<XmlElement, XmlFault> {
  if (text.length > limits.bytes) return err({ message: `the document is longer than ${limits.bytes} characters` });
  const parser = new SaxesParser({ xmlns: false });
  const stack: Open[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  const stop = (message: string): never => {
    throw new Stopped(message);
  };
  parser.on('error', (error) => stop(error.message));
  parser.on('doctype', () => stop('a document type is not allowed'));
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > limits.elements) stop(`the document has more than ${limits.elements} elements`);
    if (stack.length >= limits.depth) stop(`the document is nested more than ${limits.depth} deep`);
    const plain: Record<string, string> = {};
    for (const [key, value] of Object.entries(attributes)) plain[local(key)] = String(value);
    stack.push({ name: local(name), attributes: plain, children: [] });
  });
  const addText = (content: string): void => {
    stack.at(-1)?.children.push(content);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const done = stack.pop();
    if (done === undefined) return;
    const parent = stack.at(-1);
    if (parent === undefined) root = done;
    else parent.children.push(done);
  });
  try {
    parser.write(text.startsWith('\uFEFF') ? text.slice(1) : text).close();
  } catch (error) {
    if (error instanceof Stopped) return err({ message: error.message });
    throw error;
  }
  return root === undefined ? err({ message: 'the document is empty' }) : ok(root);
}

class Stopped extends Error {}

export function childrenOf(element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of element?.children ?? []) {
    if (typeof child !== 'string' && (names.length === 0 || names.includes(child.name))) found.push(child);
  }
  return found;
}

export function childOf(element: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined {
  return childrenOf(element, ...names)[0];
}

/** All the text inside, without the blanks around it. */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return '';
  let text = '';
  const walk = (one: XmlElement): void => {
    for (const child of one.children) {
      if (typeof child === 'string') text += child;
      else walk(child);
    }
  };
  walk(element);
  return text.trim();
}
