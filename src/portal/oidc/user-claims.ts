// What is told about an account to those it has signed in to.

import type { Identity } from '../accounts/account-store.ts';

export type UserClaims = {
  readonly sub: string;
  readonly name: string;
  readonly given_name: string;
  readonly family_name: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly preferred_username: string;
  readonly groups: readonly string[];
};

export function claimsOfIdentity(identity: Identity): UserClaims {
  const { id, username, firstName, lastName, email, isEmailConfirmed, groups } = identity;
  return {
    sub: String(id),
    name: `${firstName} ${lastName}`.trim() || username,
    given_name: firstName,
    family_name: lastName,
    email,
    email_verified: isEmailConfirmed,
    preferred_username: username,
    groups,
  };
}
