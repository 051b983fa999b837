// The type of mail addresses.

import type { FieldType } from './field.ts';

/** Whether one exists only a mail can tell; that it has the form of one is enough here. */
export const EMAIL: FieldType = {
  kind: 'text',
  max: 254,
  blank: true,
  format: 'email',
  pattern: { regex: /^$|^[^\s@]+@[^\s@]+$/, complaint: 'Enter a valid email address.' },
};
