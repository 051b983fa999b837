// The text of one SQL statement → its tokens, as PostgreSQL would read them with its usual settings. What a definition in a backup never has (several
// statements, comments, dollar quotes, Unicode escapes) is no token, so that nothing is read here in another way than there. Pure, in one pass.

export type SqlToken =
  /** Not quoted, in lower case: a keyword or a name. */
  | { readonly kind: 'word'; readonly text: string }
  /** In double quotes. */
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  /** Brackets, comma, dot, cast and operators. */
  | { readonly kind: 'sign'; readonly text: string };

const TOKEN =
  /\s+|(?<word>[a-z_][a-z0-9_$]*)|(?<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?)|"(?<name>(?:[^"\0]|"")+)"|'(?<string>(?:[^'\0]|'')*)'|(?<sign>::|[()[\],.:]|[-+*/<>=~!@#%^&|?]+)/iy;

/** What follows `E` in front of a quote: with a backslash, the next character is part of the text. */
const ESCAPED = /'(?:[^'\\\0]|''|\\[^\0])*'/y;

const PREFIXES: ReadonlySet<string> = new Set(['b', 'x', 'n']);

/** Undefined: something in it is none of these. */
export function sqlTokens(text: string): readonly SqlToken[] | undefined {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) return undefined;
    at = TOKEN.lastIndex;
    const { word, number, name, string, sign } = found.groups ?? {};
    if (word !== undefined) {
      const lower = word.toLowerCase();
      const quote = text[at];
      if (quote === "'" && lower === 'e') {
        ESCAPED.lastIndex = at;
        const escaped = ESCAPED.exec(text);
        if (escaped === null) return undefined;
        at = ESCAPED.lastIndex;
        tokens.push({ kind: 'string', text: escaped[0] });
      } else if (quote === "'" && !PREFIXES.has(lower)) return undefined;
      else if (quote === '&' && lower === 'u') return undefined;
      else tokens.push({ kind: 'word', text: lower });
    } else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.replaceAll('""', '"') });
    else if (string !== undefined) tokens.push({ kind: 'string', text: string });
    else if (sign !== undefined) {
      if (/--|\/\*/.test(sign)) return undefined;
      tokens.push({ kind: 'sign', text: sign });
    }
  }
  return tokens;
}
