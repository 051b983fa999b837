export { empty, Fragment, raw, sql } from './fragment.ts';
export { ident, literal, quoteIdent, quoteLiteral } from './ident.ts';
export { inline } from './inline.ts';
export { isEmpty, join, where } from './join.ts';
export { type Rendered, render } from './render.ts';
