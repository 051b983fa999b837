// What the routes about accounts share.

import type { CheckPassword } from './check-password.ts';
import type { Sessions } from './sessions.ts';

export type AccountParts = { readonly checkPassword: CheckPassword; readonly sessions: Sessions };
