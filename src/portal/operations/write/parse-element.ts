// An element of a body → a draft: every field checked, read-only ones left out, unknown members ignored or refused.

import { repeatedValues } from '../../../http/form-values.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { FieldMessages } from '../../errors/portal-error.ts';
import { type Field, findField, type RecordType } from '../../fields/field.ts';
import type { Members } from './body-forms.ts';
import type { Draft, Given } from './draft.ts';
import { parseValue, REQUIRED } from './parse-value.ts';

/** `create`: a new record. `replace`: all that is required has to be there. `change`: only what is there. */
export type WriteMode = 'create' | 'replace' | 'change';

/** `isStrict`: a member that no field has is a mistake; otherwise it is ignored, and `unknownMembers` tells which. */
export function parseElement(
  recordType: RecordType,
  element: Members,
  mode: WriteMode,
  isStrict = false,
): Result<Draft, FieldMessages> {
  const draft = new Map<Field, Given>();
  const wrong = new Map<string, readonly string[]>();
  for (const field of recordType.fields) {
    if (!isWritten(field, mode)) continue;
    // Own members only: `__proto__` and its like are names that nobody has.
    if (Object.hasOwn(element, field.name)) {
      const given = parseValue(field, sentValue(element, field));
      if (given.ok) draft.set(field, given.value);
      else wrong.set(field.name, [given.error]);
    } else if (field.required && mode !== 'change') wrong.set(field.name, [REQUIRED]);
  }
  if (isStrict) for (const name of unknownMembers(recordType, element)) wrong.set(name, [UNKNOWN]);
  return wrong.size === 0 ? ok(draft) : err(Object.fromEntries(wrong));
}

/** A list comes from a form as a name that is sent several times; of anything else the last one counts. */
function sentValue(element: Members, { name, write }: Field): unknown {
  const isList = write.kind === 'references' || write.kind === 'names';
  return (isList ? repeatedValues(element, name)?.join(',') : undefined) ?? element[name];
}

const UNKNOWN = 'Unknown field.';

/** What forms, and records that were read with `debug`, have beside the fields. */
const BESIDES: ReadonlySet<string> = new Set(['id', 'pk', '_meta', 'csrfmiddlewaretoken']);

/** Nobody reads more mistakes than that, and nobody needs a name that long repeated. */
export const MAX_NAMES = 20;
const MAX_LETTERS = 100;

/**
 * Members that no field has, cut to what anybody reads. Read-only fields are not among them: a record that was read can be sent
 * back as it is.
 */
export function unknownMembers({ byName }: RecordType, element: Members): readonly string[] {
  return Object.keys(element)
    .filter((name) => !byName.has(name) && !BESIDES.has(name))
    .slice(0, MAX_NAMES)
    .map((name) => name.slice(0, MAX_LETTERS));
}

function isWritten({ write }: Field, mode: WriteMode): boolean {
  if (write.kind === 'read-only') return false;
  return write.kind !== 'column' || write.onlyNew !== true || mode === 'create';
}

/** For changes of everything at once, a name that means nothing is a mistake. Undefined: every name is fine. */
export function unknownField(recordType: RecordType, element: Members): string | undefined {
  for (const name of Object.keys(element)) {
    const field = findField(recordType, name);
    if (field === undefined) return `Unknown field: "${name}"`;
    if (!isWritten(field, 'change')) return `Cannot update field: "${name}"`;
  }
  return undefined;
}

/** The id an element carries: `id` or `pk`, a number or digits. */
export function elementId(element: Members): number | undefined {
  for (const name of ['id', 'pk']) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
    if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647) return id;
  }
  return undefined;
}
