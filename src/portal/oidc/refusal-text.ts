// Why a sign-in was refused, in the language of the page that asks for it. The API says the same in its own words.

import { TOO_LATE } from '../accounts/second-factor/second-factor.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { MailLanguage } from '../mail/letters.ts';
import { PAGE_WORDS } from './page-words.ts';

export function refusalText(language: MailLanguage, error: PortalError): string {
  const words = PAGE_WORDS[language];
  switch (error.kind) {
    case 'bad-credentials':
      return error.reason === 'inactive' ? words.inactive : words.wrongPassword;
    case 'throttled':
      return words.tooManyTries;
    case 'csrf':
      return words.forged;
    // Of the second step: it has one field.
    case 'invalid-fields':
      return error === TOO_LATE ? words.tookTooLong : words.wrongCode;
    // What its operator has written.
    case 'service-closed':
      return error.message === '' ? words.unavailable : error.message;
    default:
      return words.unavailable;
  }
}
