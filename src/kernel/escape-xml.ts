// Text inside XML: what has a meaning there is escaped, and what may not stand there at all is left out. Pure.

const MEANINGFUL = /[&<>"']/g;
// Characters that no XML document may hold; halves of characters are none.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu;

export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '').replace(MEANINGFUL, (char) => `&#${char.charCodeAt(0)};`);
}
