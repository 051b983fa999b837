// Who asks the portal or the map server. Decides nothing: it becomes the role and the claims of the request's transaction,
// and the policies do the rest.

import { addressKey } from '../kernel/address-key.ts';

/**
 * How new a replica has to be to answer reads: it has replayed the log up to `lsn`; undefined: as new as the settings want it. One object for a request: all
 * reads with it are answered by one server.
 */
export type ReadPoint = { readonly lsn: bigint | undefined };

export type Caller =
  | {
      readonly kind: 'visitor';
      /** Where from: visitors share queues and limits by address. Undefined: the program itself asks. */
      readonly address?: string;
      readonly readPoint?: ReadPoint;
      readonly link?: string;
    }
  | {
      readonly kind: 'account';
      readonly id: number;
      readonly username: string;
      readonly role: AccountRole;
      /** A session needs protection against forged requests; the others prove themselves each time. */
      readonly via: 'session' | 'basic' | 'bearer';
      /** Of a bearer token: what it was issued for, as its claim says. The database then refuses what no token may do. */
      readonly scope?: string;
      /** Undefined: the primary answers. */
      readonly readPoint?: ReadPoint;
      /** Digest of a link's secret, in hex digits, that the request came with. What it is good for, the database knows. */
      readonly link?: string;
    };

export type AccountCaller = Extract<Caller, { kind: 'account' }>;

export type AccountRole = 'survest_user' | 'survest_admin';

export const VISITOR: Caller = { kind: 'visitor' };

/** Who takes turns with others in queues: an account, or all visitors behind one address. */
export function turnOf(caller: Caller): string {
  return caller.kind === 'account' ? `account ${caller.id}` : addressKey(caller.address);
}

/** The role of the database that the caller's statements run as. */
export function roleOf(caller: Caller): string {
  return caller.kind === 'visitor' ? 'survest_anon' : caller.role;
}

/** For `request.jwt.claims`. */
export function claimsOf(caller: Caller): string {
  const { link } = caller;
  if (caller.kind === 'visitor')
    return link === undefined ? '{"role":"survest_anon"}' : JSON.stringify({ role: 'survest_anon', link });
  const { id, role, username, scope } = caller;
  return JSON.stringify({ sub: String(id), role, preferred_username: username, scope, link });
}
