// Names joined by dots → the field they lead to, through relations. Only what is shown can be reached.

import { err, ok, type Result } from '../../kernel/result.ts';
import { findField, type RecordType } from '../fields/field.ts';
import { isShown } from '../fields/field-makers.ts';
import type { Path, Step } from './condition.ts';

export type PathError =
  | { readonly kind: 'unknown-field'; readonly name: string }
  /** A name follows, but the field is no relation. */
  | { readonly kind: 'not-a-relation'; readonly name: string }
  | { readonly kind: 'too-long' };

/** Relations lead on to others, and some back; each is a query inside a query. */
export const MAX_NAMES = 8;

export function findPath(recordType: RecordType, names: readonly string[]): Result<Path, PathError> {
  if (names.length > MAX_NAMES) return err({ kind: 'too-long' });
  const through: Step[] = [];
  let current = recordType;
  for (const [i, name] of names.entries()) {
    const field = findField(current, name);
    if (field === undefined || !isShown(field)) return err({ kind: 'unknown-field', name });
    const isLast = i === names.length - 1;
    const { type } = field;
    const isRelation = type.kind === 'one' || type.kind === 'many';
    if (!isRelation) {
      if (!isLast) return err({ kind: 'not-a-relation', name });
      // Shown, but made by an expression that cannot be compared.
      if (field.value === undefined) return err({ kind: 'unknown-field', name });
      return ok({ through, target: { kind: 'field', field } });
    }
    if (isLast) {
      return field.value === undefined
        ? ok({ through, target: { kind: 'related', name, relation: type.relation } })
        : ok({ through, target: { kind: 'field', field } });
    }
    through.push({ name, relation: type.relation });
    current = type.relation.recordType();
  }
  return err({ kind: 'unknown-field', name: '' });
}
