// A mail address in a request's body: one, of a form that a mail server takes, and nothing that could become a second recipient or a header.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { textFields } from './body-fields.ts';

const MAX_ADDRESS = 254;
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/;

export function parseEmail(body: unknown): Result<string, PortalError> {
  const given = textFields(body, ['email']);
  if (!given.ok) return given;
  const email = given.value.email.trim();
  return email.length <= MAX_ADDRESS && ADDRESS.test(email)
    ? ok(email)
    : err({ kind: 'invalid-fields', fields: { email: ['Enter a valid email address.'] } });
}
