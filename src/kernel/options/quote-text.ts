// Text → a double-quoted literal of the configuration file that reads back as the same text.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped
const SPECIAL = /["\\$\u0000-\u001f\u007f\u2028\u2029]/g;

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  $: '$$',
};

export function quoteText(text: string): string {
  const escaped = text.replace(SPECIAL, (c) => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}
