// What the routes about accounts share.

import type { CheckPassword } from './check-password.ts';
import type { MailLinkParts } from './mail-link-routes.ts';
import type { Sessions } from './sessions.ts';

export type AccountParts = { readonly checkPassword: CheckPassword; readonly sessions: Sessions };

/** Whom the pages share with what is saved in them, unless the person chooses otherwise. */
export type DefaultSharing = 'private' | 'public';
export type PageParts = AccountParts & {
  readonly defaultSharing: DefaultSharing;
  /** For which what was deleted rests in the bin. */
  readonly binDays: number;
  /** Undefined: no letters are sent. */
  readonly mail: MailLinkParts | undefined;
};
