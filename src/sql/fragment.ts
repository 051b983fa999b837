// SQL as nested fragments: text is literal, values are parameters, names are escaped. The end is plain data (render.ts).
//
// A fragment is generic in what a parameter is: the REST service's are slots to be filled per request, so that one
// rendered text serves every request of a shape; elsewhere they are the values themselves.

/** Wraps a parameter, so that a string in a chunk list is text and never a value. */
type Hole<P> = { readonly param: P };

export class Fragment<P> {
  readonly chunks: readonly (string | Hole<P>)[];

  constructor(chunks: readonly (string | Hole<P>)[]) {
    this.chunks = chunks;
  }
}

/**
 * Literal text with fragments and values in its holes. A bare string in a hole is a value, never text.
 *
 * @example sql`select * from ${ident('api', 'items')} where id = ${5}` // select * from "api"."items" where id = $1
 */
export function sql<P>(strings: TemplateStringsArray, ...holes: readonly (Fragment<P> | P)[]): Fragment<P> {
  const chunks: (string | Hole<P>)[] = [strings[0] ?? ''];
  holes.forEach((hole, i) => {
    // One by one: as arguments of one call, the chunks of a large fragment would not fit on the stack.
    if (hole instanceof Fragment) for (const chunk of hole.chunks) chunks.push(chunk);
    else chunks.push({ param: hole });
    chunks.push(strings[i + 1] ?? '');
  });
  return new Fragment(chunks);
}

/** Text that this program wrote itself: keywords, operators of a closed map. Never anything a client sent. */
export function raw(text: string): Fragment<never> {
  return new Fragment<never>([text]);
}

export const empty: Fragment<never> = raw('');
