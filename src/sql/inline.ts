// A fragment as one text, its parameters written as escaped literals. For COPY alone, which PostgreSQL takes no parameters for; everything
// else is rendered (render.ts). A literal without a type takes the one of what it is compared with, as a parameter does.

import type { Fragment } from './fragment.ts';
import { quoteLiteral } from './ident.ts';

export function inline<P>(fragment: Fragment<P>, textOf: (param: P) => string): string {
  let text = '';
  for (const chunk of fragment.chunks)
    text += typeof chunk === 'string' ? chunk : quoteLiteral(textOf(chunk.param)).trimStart();
  return text;
}
