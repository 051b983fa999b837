// How somebody is called in a sentence.

type Person = { readonly username: string; readonly first_name: string; readonly last_name: string };

/** `otherwise`: for somebody who is gone, or whom the reader does not know. */
export function personName(person: Person | null, otherwise: string): string {
  if (person === null) return otherwise;
  const full = `${person.first_name} ${person.last_name}`.trim();
  return full === '' ? person.username : full;
}
