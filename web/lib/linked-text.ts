// Plain text of people → pieces, with the web addresses in it found. Nothing in it is markup. Pure.

export type TextPiece = { readonly kind: 'text' | 'link'; readonly text: string };

/** What cannot be a part of an address in running text. */
const END = /[\s<>"'`]/;
/** What ends a sentence rather than an address. */
const TRAILING = new Set(['.', ',', ';', ':', '!', '?', ')', ']', '}', '…', '»', '”']);
const MAX_ADDRESS = 2000;

export function linkedText(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let done = 0;
  let from = 0;
  while (from < text.length) {
    const start = text.indexOf('http', from);
    if (start < 0) break;
    const scheme = ['https://', 'http://'].find((one) => text.startsWith(one, start));
    if (scheme === undefined) {
      from = start + 4;
      continue;
    }
    const end = endOf(text, start);
    const address = text.slice(start, end);
    from = end;
    if (address.length <= scheme.length || address.length > MAX_ADDRESS || !URL.canParse(address)) continue;
    if (start > done) pieces.push({ kind: 'text', text: text.slice(done, start) });
    pieces.push({ kind: 'link', text: address });
    done = end;
  }
  if (done < text.length) pieces.push({ kind: 'text', text: text.slice(done) });
  return pieces;
}

/** Behind the address that begins there; a bracket at its end belongs to it if it was opened in it. */
function endOf(text: string, start: number): number {
  let end = start;
  let open = 0;
  while (end < text.length && !END.test(text[end] ?? '')) {
    if (text[end] === '(') open += 1;
    if (text[end] === ')') open -= 1;
    end += 1;
  }
  while (end > start && TRAILING.has(text[end - 1] ?? '')) {
    if (text[end - 1] === ')') {
      if (open >= 0) break;
      open += 1;
    }
    end -= 1;
  }
  return end;
}
