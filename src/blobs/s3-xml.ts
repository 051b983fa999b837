// The few things that are read from what an S3 store says in XML: flat elements with texts in them.

/** The insides of every element of that name. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inside = '']) => inside,
  );
}

/** The text of the first element of that name. */
export function textOf(xml: string, name: string): string | undefined {
  const [inside] = elementsOf(xml, name);
  return inside?.replace(/&(?:lt|gt|amp|quot|apos|#(\d+)|#x([0-9a-f]+));/gi, (entity, decimal, hex) =>
    decimal !== undefined || hex !== undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      : (NAMED[entity.toLowerCase()] ?? entity),
  );
}

const NAMED: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
};
