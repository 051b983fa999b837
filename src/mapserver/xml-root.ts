// The root of a request in XML, from its beginning alone: what it asks of which service in which version. Read without a parser, for the
// rest may be missing or broken. Pure.

export type XmlRoot = {
  /** Name of the element, without its prefix. */
  readonly operation: string;
  readonly service: string | undefined;
  readonly version: string | undefined;
  /** The whole tag. */
  readonly tag: string;
};

/** Longer heads than this nobody writes. */
const HEAD = 4000;

export function isXml(body: string): boolean {
  return /^\s{0,100}</.test(body);
}

export function xmlRoot(body: string): XmlRoot {
  const head = body.slice(0, HEAD).replaceAll(/<\?[^>]{0,500}>|<!--[^>]{0,1000}-->/g, '');
  const tag = head.slice(head.indexOf('<') + 1).split('>', 1)[0] ?? '';
  const name = tag.split(/\s/, 1)[0] ?? '';
  const service = /\sservice\s{0,9}=\s{0,9}["'](\w{1,10})["']/.exec(tag)?.[1];
  const version = /\sversion\s{0,9}=\s{0,9}["'](\d[\d.]{0,10})["']/.exec(tag)?.[1];
  return { operation: name.slice(name.indexOf(':') + 1).replace(/\/$/, ''), service, version, tag };
}
