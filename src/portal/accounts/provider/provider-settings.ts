// An OpenID Connect provider of others that people sign in with, as the settings name it.

/** A group of the portal, and the value of the claim that makes somebody its member. */
export type GroupMapping = { readonly slug: string; readonly value: string };

export type ProviderSettings = {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  /** On the button of the sign-in page. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Undefined: the provider decides about no group. */
  readonly groupsClaim: string | undefined;
  readonly groups: readonly GroupMapping[];
  /** Who is made an account at the first sign-in. */
  readonly registration: 'off' | 'open' | 'approval';
  /** A person whose mail address both sides have confirmed is the account that has it. */
  readonly linkByEmail: boolean;
  /** Who has a second factor here is asked for it after the provider, too. */
  readonly secondFactor: boolean;
};
