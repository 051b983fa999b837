// The fields of an HTML form: one text per name, the last one, as most readers want it. A name that was sent several times
// keeps all its values beside it, for fields that are lists.

const ALL = Symbol('all values of names that were sent several times');

export type FormValues = Readonly<Record<string, string>>;
type Filling = Record<string, string> & { [ALL]?: Map<string, string[]> };

/** An object without a prototype, so that a name can be anything. */
export function emptyForm(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}

export function addToForm(form: Record<string, string>, name: string, value: string): void {
  const filling: Filling = form;
  const before = filling[name];
  if (before !== undefined) {
    filling[ALL] ??= new Map();
    const all = filling[ALL].get(name);
    if (all === undefined) filling[ALL].set(name, [before, value]);
    else all.push(value);
  }
  filling[name] = value;
}

/** Undefined: it was sent once, or not at all, or this is no form. */
export function repeatedValues(form: object, name: string): readonly string[] | undefined {
  return (form as { readonly [ALL]?: ReadonlyMap<string, readonly string[]> })[ALL]?.get(name);
}
