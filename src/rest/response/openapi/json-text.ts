// JSON put together as text: maps whose keys are names from the database are written member by member, never gathered
// in an object, so that no name (`__proto__`, `toJSON`) means anything on the way and a large document is one pass.

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

declare const serialised: unique symbol;

/** JSON, already written; the brand keeps a plain string from being taken for it. */
export type JsonText = string & { readonly [serialised]: true };

/** A value of our own making; members that are `undefined` are left out. */
export function json(value: JsonValue): JsonText {
  return JSON.stringify(value) as JsonText;
}

/** `{"$ref": …}`, the most frequent object of a document. */
export function jsonRef(pointer: string): JsonText {
  return `{"$ref":${JSON.stringify(pointer)}}` as JsonText;
}

export function jsonList(items: readonly JsonText[]): JsonText {
  return `[${items.join(',')}]` as JsonText;
}

export type Member = readonly [key: string, value: JsonText];

/** An object in the order given; `undefined` stands for a member that is left out. */
export function jsonObject(members: readonly (Member | undefined)[]): JsonText {
  const written: string[] = [];
  for (const member of members) {
    if (member !== undefined) written.push(`${JSON.stringify(member[0])}:${member[1]}`);
  }
  // Joined, not added up: a flat string lets its parts go, which is most of the time a large document takes.
  return `{${written.join(',')}}` as JsonText;
}
