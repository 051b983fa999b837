// What a layer follows: an address, how it is asked, by which column rows are found again, and how often. A body → the order; pure, and every mistake is
// told at its field.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { FieldMessages } from '../errors/portal-error.ts';
import { isMembers, type Members } from '../operations/write/body-forms.ts';

export const SOURCE_KINDS = ['file', 'features', 'wfs'] as const;
/** A file, the items of an OGC API, or a feature type of a WFS. */
type SourceKind = (typeof SOURCE_KINDS)[number];

export type Address = {
  readonly kind: SourceKind;
  readonly address: string;
  /** Of a WFS. */
  readonly typeName: string | null;
};

export type SourceOrder = Address & {
  /** Null: all rows are replaced. */
  readonly key: string | null;
  readonly everyMinutes: number;
  readonly isPaused: boolean;
};

export const LEAST_MINUTES = 15;
export const MOST_MINUTES = 525_600;
export const MAX_ADDRESS = 2000;
export const MAX_TYPE_NAME = 400;
const MAX_KEY = 255;
const DAY = 1440;

/** `others`: members that the body may have besides. */
export function parseSource(body: unknown, others: readonly string[] = []): Result<SourceOrder, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: ['Expected a JSON object.'] });
  const known = ['kind', 'address', 'type_name', 'key', 'every_minutes', 'paused', ...others];
  const stranger = Object.keys(body).find((name) => !known.includes(name));
  if (stranger !== undefined) return err({ [stranger.slice(0, 100)]: ['Unknown field.'] });
  const kind = SOURCE_KINDS.find((one) => one === (body['kind'] ?? 'file'));
  if (kind === undefined) return err({ kind: [`Must be one of ${SOURCE_KINDS.join(', ')}.`] });
  const { address, every_minutes: every = DAY, paused = false } = body;
  if (!isText(address, MAX_ADDRESS) || !/^https?:\/\/[^\s]+$/i.test(address))
    return err({ address: ['An address of http or https is expected.'] });
  const typeName = optional(body, 'type_name', MAX_TYPE_NAME);
  if (typeName === undefined) return err({ type_name: ['The name of a feature type is expected.'] });
  if (kind === 'wfs' && typeName === null) return err({ type_name: ['A WFS is asked for one of its feature types.'] });
  const key = optional(body, 'key', MAX_KEY);
  if (key === undefined) return err({ key: ['The name of a column is expected.'] });
  if (typeof every !== 'number' || !Number.isInteger(every) || every < LEAST_MINUTES || every > MOST_MINUTES)
    return err({ every_minutes: [`A whole number from ${LEAST_MINUTES} to ${MOST_MINUTES} is expected.`] });
  if (typeof paused !== 'boolean') return err({ paused: ['Must be true or false.'] });
  return ok({ kind, address, typeName, key, everyMinutes: every, isPaused: paused });
}

/** As the database keeps it. */
export function sourceJson({ kind, address, typeName, key, everyMinutes, isPaused }: SourceOrder): Members {
  return { kind, address, type_name: typeName, key, every_minutes: everyMinutes, paused: isPaused };
}

/** Null: it is not said; undefined: it is no such text. */
function optional(body: Members, name: string, most: number): string | null | undefined {
  const value = body[name] ?? null;
  return value === null || isText(value, most) ? value : undefined;
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= most && !value.includes('\0');
}
