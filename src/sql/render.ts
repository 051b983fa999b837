// The end of the fragments: text with `$n` and the parameters in order. A parameter that stands twice (the same object,
// or the same primitive) is one `$n`.

import type { Fragment } from './fragment.ts';

export type Rendered<P> = { readonly text: string; readonly params: readonly P[] };

export function render<P>(fragment: Fragment<P>): Rendered<P> {
  const numbers = new Map<P, number>();
  let text = '';
  for (const chunk of fragment.chunks) {
    if (typeof chunk === 'string') {
      text += chunk;
      continue;
    }
    let number = numbers.get(chunk.param);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(chunk.param, number);
    }
    text += `$${number}`;
  }
  return { text, params: [...numbers.keys()] };
}
