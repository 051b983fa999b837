// Personal access tokens: what a person asks for when making one, checked. Pure.

import { err, ok, type Result } from '../../kernel/result.ts';
import { membersOf, textFields } from '../accounts/body-fields.ts';
import type { PortalError } from '../errors/portal-error.ts';

export const TOKEN_DAYS = 90;
export const MAX_TOKEN_DAYS = 366;
export const MAX_TOKEN_NAME = 100;

export type AskedToken = { readonly name: string; readonly scope: 'read' | 'write'; readonly days: number };

/** Reading for a quarter of a year, unless more is asked for. */
export function parseTokenAsk(body: unknown): Result<AskedToken, PortalError> {
  const { scope = 'read', days = TOKEN_DAYS } = membersOf(body);
  const named = textFields(body, ['name']);
  if (!named.ok) return named;
  const name = named.value.name.trim();
  const fields: Record<string, readonly string[]> = {};
  if (name === '' || [...name].length > MAX_TOKEN_NAME || name.includes('\0'))
    fields['name'] = [`A name has 1 to ${MAX_TOKEN_NAME} characters.`];
  if (scope !== 'read' && scope !== 'write')
    fields['scope'] = [`"${short(scope)}" is not a valid choice: read, write.`];
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > MAX_TOKEN_DAYS)
    fields['days'] = [`A token is good for 1 to ${MAX_TOKEN_DAYS} days.`];
  return Object.keys(fields).length === 0
    ? ok({ name, scope: scope as 'read' | 'write', days: days as number })
    : err({ kind: 'invalid-fields', fields });
}

const short = (value: unknown): string => String(value).slice(0, 50);
