// The forms a body may have: one object, an array, or either under the name of the collection or of its items.

export type Members = Readonly<Record<string, unknown>>;

export type BodyForm =
  | { readonly kind: 'one'; readonly element: Members }
  | { readonly kind: 'many'; readonly elements: readonly unknown[]; readonly wrapper: 'none' | 'item' | 'list' }
  | { readonly kind: 'neither'; readonly got: string };

/** A wrapper counts only when it is all there is. No body at all is an object without members. */
export function bodyForm(body: unknown, names: { readonly item: string; readonly list: string }): BodyForm {
  if (body === undefined) return { kind: 'one', element: {} };
  if (Array.isArray(body)) return { kind: 'many', elements: body, wrapper: 'none' };
  if (!isMembers(body)) return { kind: 'neither', got: kindOf(body) };
  const [only, another] = Object.keys(body);
  const wrapper = another !== undefined ? 'none' : only === names.item ? 'item' : only === names.list ? 'list' : 'none';
  const inside = only === undefined ? undefined : body[only];
  if (wrapper !== 'none' && Array.isArray(inside)) return { kind: 'many', elements: inside, wrapper };
  if (wrapper !== 'none' && isMembers(inside)) return { kind: 'one', element: inside };
  return { kind: 'one', element: body };
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As clients have always been told what they sent. */
export function kindOf(value: unknown): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    default:
      return 'dict';
  }
}

export function expectedObject(got: string): string {
  return `Invalid data. Expected a dictionary, but got ${got}.`;
}
