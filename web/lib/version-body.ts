// Two versions of an item compared (diff): members that differ, as texts to be read side by side. Pure.

export type ChangedMember = { readonly name: string; readonly past: string; readonly present: string };

type Body = Readonly<Record<string, unknown>>;

/** A page is no place for megabytes. */
const MAX_CHARACTERS = 20_000;

/** `present` undefined: every member of `past` that says something. */
export function changedMembers(past: Body, present: Body | undefined): readonly ChangedMember[] {
  return Object.keys({ ...past, ...present })
    .sort()
    .map((name) => ({ name, past: textOf(past[name]), present: textOf(present?.[name]) }))
    .filter((member) => member.past !== member.present);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
