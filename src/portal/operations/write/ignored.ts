// What a request said and nobody listened to: members of its body that no field has, named in the answer's `meta`.

import type { RecordType } from '../../fields/field.ts';
import type { Members } from './body-forms.ts';
import { MAX_NAMES, unknownMembers } from './parse-element.ts';

/** For the answer's `meta`: empty where nothing was ignored. */
export type Ignored = { readonly ignored?: readonly string[] };

/** Each name once, however many elements have it. */
export function ignoredIn(elements: Iterable<{ readonly recordType: RecordType; readonly source: Members }>): Ignored {
  const names = new Set<string>();
  for (const { recordType, source } of elements) {
    for (const name of unknownMembers(recordType, source)) names.add(name);
    if (names.size >= MAX_NAMES) break;
  }
  return names.size === 0 ? {} : { ignored: [...names].slice(0, MAX_NAMES) };
}
