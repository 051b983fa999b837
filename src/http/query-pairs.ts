// A query string, or a form → its names and values, decoded, as `URLSearchParams` reads them. Node 24 takes quadratic time for a text of very many
// of them: each one alone is read in time. Pure.

export function* queryPairs(text: string): Generator<readonly [name: string, value: string]> {
  const pieces = (text.startsWith('?') ? text.slice(1) : text).split('&');
  // A question mark that begins what it is given, `URLSearchParams` leaves out.
  for (const piece of pieces) if (piece !== '') yield* new URLSearchParams(piece.startsWith('?') ? `?${piece}` : piece);
}
