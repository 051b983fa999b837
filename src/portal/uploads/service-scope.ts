// Who a statement of an import runs as: the service itself, the role that logged in, or the account that sent the files. Each is a
// statement of its own, for one transaction needs all three.

import { type Caller, claimsOf, roleOf } from '../../auth/caller.ts';
import type { Statement } from '../../pg/driver.ts';

function become(role: string, claims: string): Statement {
  return {
    text: `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`,
    params: [role, claims],
    name: 'uploads_become',
  };
}

/** An administrator without an account: sees and changes every upload. */
export const AS_SERVICE: Statement = become('survest_admin', '{"role":"survest_admin"}');

/** Makes tables, and owns them. */
export const AS_LOGIN: Statement = become('none', '');

export function asCaller(caller: Caller): Statement {
  return become(roleOf(caller), claimsOf(caller));
}
