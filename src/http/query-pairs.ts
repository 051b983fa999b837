// A query string, or a form → its names and values, decoded, as `URLSearchParams` reads them. Node 24 takes quadratic time for a text of very many
// of them: some at a time are read in time. Pure.

const AT_ONCE = 256;

export function* queryPairs(text: string): Generator<readonly [name: string, value: string]> {
  const pieces = (text.startsWith('?') ? text.slice(1) : text).split('&');
  for (let i = 0; i < pieces.length; i += AT_ONCE) {
    const some = pieces.slice(i, i + AT_ONCE).join('&');
    // A question mark that begins what it is given, `URLSearchParams` leaves out.
    yield* new URLSearchParams(some.startsWith('?') ? `?${some}` : some);
  }
}
