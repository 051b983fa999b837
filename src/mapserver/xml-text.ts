// Names and text inside XML. Pure.

export { escapeXml } from '../kernel/escape-xml.ts';

// Letters and digits that all editions of XML take in names. `\p{L}` and `\p{N}` have some that none does: µ, ª, ².
const FIRST =
  /^(?=[\p{L}_])[A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u3001-\uD7FF\uF900-\uFDCF]$/u;
const LATER = /^[\p{Nd}.\p{Mn}-]$/u;
const ENCODED = /_x([0-9A-F]{4,6})_/g;

/**
 * A name that an element can have, for columns can be called anything: what may not stand in it is `_x00B2_`, as SQL/XML writes it,
 * so that two columns never share a name and `columnOfXmlName` finds the way back.
 */
export function xmlName(name: string): string {
  let encoded = '';
  let index = 0;
  for (const char of name) {
    const looksEncoded = char === '_' && /^_x[0-9A-F]{4,6}_/.test(name.slice(index, index + 9));
    const fits = !looksEncoded && (FIRST.test(char) || (index > 0 && LATER.test(char)));
    encoded += fits ? char : `_x${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}_`;
    index += char.length;
  }
  return encoded;
}

export function columnOfXmlName(name: string): string {
  return name.replace(ENCODED, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
