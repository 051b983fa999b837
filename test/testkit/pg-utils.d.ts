// The one function of pg that is not in its types: a JavaScript value → what it sends as a parameter.

declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
