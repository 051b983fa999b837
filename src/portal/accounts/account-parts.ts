// What the routes about accounts share.

import type { CheckPassword } from './check-password.ts';
import type { MailLinkParts } from './mail-link-routes.ts';
import type { ProviderParts } from './provider/provider-routes.ts';
import type { PasskeyParts } from './second-factor/passkey-routes.ts';
import type { SecondFactor } from './second-factor/second-factor.ts';
import type { Sessions } from './sessions.ts';

export type AccountParts = {
  readonly checkPassword: CheckPassword;
  readonly secondFactor: SecondFactor;
  readonly sessions: Sessions;
};

/** Whom the pages share with what is saved in them, unless the person chooses otherwise. */
export type DefaultSharing = 'private' | 'public';
export type PageParts = AccountParts & {
  readonly defaultSharing: DefaultSharing;
  /** For which what was deleted rests in the bin. */
  readonly binDays: number;
  /** Sites whose pages stories may show. */
  readonly embedHosts: readonly string[];
  /** Administrators run SQL. */
  readonly sqlConsole: boolean;
  /** Hosts whose services may be used in maps. */
  readonly remoteHosts: readonly string[];
  /** Undefined: no letters are sent. */
  readonly mail: MailLinkParts | undefined;
  /** Undefined: people sign in with passwords of ours alone. */
  readonly provider: ProviderParts | undefined;
  readonly passkeys: Pick<PasskeyParts, 'sealing' | 'secure'>;
};
