// Something of the database that the schema cache does without, because it cannot be understood or would multiply beyond all
// measure. One odd object must not cost the others: it is named in the log, and everything else is served.

export type Omission = {
  /** Names the object: `the view api.v`. */
  readonly what: string;
  readonly why: string;
};

export function nameList(names: readonly string[]): string {
  const [last = '', ...before] = names.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`;
}
