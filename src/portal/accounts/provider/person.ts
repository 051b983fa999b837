// What a provider says of a person → who that is here: names that an account can have, groups of the portal by the claim of the settings. Pure.

import type { GroupMapping } from './provider-settings.ts';

export type Claims = Readonly<Record<string, unknown>>;

export type Person = {
  readonly subject: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Slugs of groups of the portal. */
  readonly groups: readonly string[];
};

const MAX_USERNAME = 140;
const MAX_NAME = 30;
const MAX_GROUPS = 1000;
const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u;

export function personOf(claims: Claims, groupsClaim: string | undefined, mappings: readonly GroupMapping[]): Person {
  const email = textOf(claims['email'], 254);
  const isEmail = EMAIL.test(email);
  const held = new Set(groupsClaim === undefined ? [] : valuesOf(claimAt(claims, groupsClaim)));
  return {
    subject: String(claims['sub']),
    email: isEmail ? email : '',
    // Some providers write it as text.
    isEmailVerified: isEmail && (claims['email_verified'] === true || claims['email_verified'] === 'true'),
    username: usernameOf(claims, isEmail ? email : ''),
    firstName: textOf(claims['given_name'], MAX_NAME),
    lastName: textOf(claims['family_name'], MAX_NAME),
    groups: [...new Set(mappings.filter(({ value }) => held.has(value)).map(({ slug }) => slug))],
  };
}

function usernameOf(claims: Claims, email: string): string {
  for (const wished of [textOf(claims['preferred_username'], 254), email.split('@', 1)[0] ?? '']) {
    const name = wished.replace(/[^\w.@+-]/g, '').slice(0, MAX_USERNAME);
    if (name !== '') return name;
  }
  return 'user';
}

/** A claim by its name, which may have dots in it, or by the path to it: `realm_access.roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let found: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Claims)[name];
  }
  return found;
}

function valuesOf(claim: unknown): readonly string[] {
  return [claim]
    .flat()
    .slice(0, MAX_GROUPS)
    .filter((value): value is string => typeof value === 'string');
}

function textOf(value: unknown, max: number): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, max) : '';
}
