// The settings of signing in with an OpenID Connect provider.

import type { Check } from '../../kernel/options/load.ts';
import { type OptionTable, optionsIn } from '../../kernel/options/option.ts';
import { type Filled, filledList, listOrNone } from '../../kernel/options/types/list.ts';
import { oneOf } from '../../kernel/options/types/one-of.ts';
import { optional } from '../../kernel/options/types/optional.ts';
import { text } from '../../kernel/options/types/text.ts';
import { truth } from '../../kernel/options/types/truth.ts';
import type { ProviderSettings } from '../../portal/accounts/provider/provider-settings.ts';
import { isPlainHttpAddress } from '../../rest/config/types/uri.ts';

export type ProviderConfig = {
  /** Undefined: people sign in with the portal's own passwords alone. */
  readonly oidcIssuer: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcClientSecret: string | undefined;
  readonly oidcName: string | undefined;
  readonly oidcScopes: Filled;
  readonly oidcGroupsClaim: string | undefined;
  /** `group=value`. */
  readonly oidcGroups: readonly string[];
  readonly oidcRegistration: 'off' | 'open' | 'approval';
  readonly oidcLinkByEmail: boolean;
  readonly oidcSecondFactor: boolean;
};

const PROVIDER = 'Sign-in with a provider';
const provider = optionsIn(PROVIDER, { reloadable: false });
export const PROVIDER_SECTIONS: readonly string[] = [PROVIDER];

const GROUP = /^([a-zA-Z0-9_-]{1,255})=(.{1,500})$/;

export const providerOptions: OptionTable<ProviderConfig> = {
  oidcClientId: provider({
    name: 'oidc-client-id',
    doc: 'What the provider calls the portal. It is registered there with the address `<public-url>/account/oidc/callback`.',
    type: optional(text()),
    default: undefined,
    example: '"maps"',
  }),
  oidcClientSecret: provider({
    name: 'oidc-client-secret',
    doc: 'What the portal proves itself with to the provider; none for a public client, which has PKCE alone.',
    type: optional(text()),
    default: undefined,
    secret: true,
    onCommandLine: false,
    fileReference: true,
    example: '"@/run/secrets/oidc-client-secret"',
  }),
  oidcGroups: provider({
    name: 'oidc-groups',
    doc: 'Groups whose members the provider decides about, each with the value of `oidc-groups-claim` that makes somebody a member. Followed at every sign-in; other groups stay as they are.',
    type: listOrNone({
      accepts: 'pairs like surveyors=team-survey, with commas between them',
      complaint: (element) =>
        GROUP.test(element) ? undefined : 'has an element that is not like surveyors=team-survey',
    }),
    default: [],
    example: '"surveyors=team-survey, editors=team-edit"',
  }),
  oidcGroupsClaim: provider({
    name: 'oidc-groups-claim',
    doc: 'The claim that says which groups of the provider a person is in: its name, or the path to it.',
    type: optional(text()),
    default: undefined,
    example: '"realm_access.roles"',
  }),
  oidcIssuer: provider({
    name: 'oidc-issuer',
    doc: 'An OpenID Connect provider that people may sign in with, besides user name and password. Needs `oidc-client-id` and `public-url`.',
    type: optional(
      text({
        accepts: 'the https address of a provider, as its discovery document has it; http for one on this machine',
        complaint: (value) => (isIssuer(value) ? undefined : 'is not the address of a provider'),
      }),
    ),
    default: undefined,
    defaultWords: 'none',
    example: '"https://sso.example.org/realms/city"',
  }),
  oidcLinkByEmail: provider({
    name: 'oidc-link-by-email',
    doc: 'Whether somebody who signs in with the provider for the first time is the account that has the same mail address. Only where the provider says that the address is verified, and the account has confirmed it here by a link. Without it nobody comes into an existing account by a mail address.',
    type: truth,
    default: false,
  }),
  oidcName: provider({
    name: 'oidc-name',
    doc: 'What the button on the sign-in page calls the provider.',
    type: optional(text()),
    default: undefined,
    defaultWords: 'the host of the provider',
    example: '"City of Example"',
  }),
  oidcRegistration: provider({
    name: 'oidc-registration',
    doc: 'Who is made an account at the first sign-in with the provider: `off` nobody, `open` everybody whom it knows, `approval` the same, but an administrator has to switch the account on.',
    type: oneOf(['off', 'open', 'approval']),
    default: 'off',
  }),
  oidcScopes: provider({
    name: 'oidc-scopes',
    doc: 'What the provider is asked for. `openid` is among it in any case.',
    type: filledList({
      accepts: 'names of scopes, with commas between them',
      complaint: (element) =>
        /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(element) ? undefined : 'has an element that is no scope',
    }),
    default: ['openid', 'profile', 'email'],
  }),
  oidcSecondFactor: provider({
    name: 'oidc-second-factor',
    doc: 'Whether a user who has a second factor here is asked for it after signing in with the provider. Switch it off where the provider asks for one itself. With `admin-second-factor`, administrators are asked in any case.',
    type: truth,
    default: true,
  }),
};

type Checked = ProviderConfig & { readonly publicUrl: string | undefined };

/** People come back from the provider to an address that is certain. */
export const providerIsComplete: Check<Checked> = (config) => {
  const { oidcIssuer, oidcGroups, oidcGroupsClaim } = config;
  const missing: (readonly [name: string, accepts: string, why: string])[] = [];
  if (oidcIssuer !== undefined && config.oidcClientId === undefined)
    missing.push(['oidc-client-id', 'text', 'what the provider calls the portal']);
  if (oidcIssuer !== undefined && config.publicUrl === undefined)
    missing.push(['public-url', 'the address under which people reach the portal', 'people come back to it']);
  if (oidcGroups.length > 0 && oidcGroupsClaim === undefined)
    missing.push(['oidc-groups-claim', 'the name of a claim', 'it has the values that oidc-groups names']);
  return missing.map(([name, accepts, why]) => ({
    option: name,
    involves: [name === 'oidc-groups-claim' ? 'oidc-groups' : 'oidc-issuer'],
    complaint: `${name} is needed: ${why}`,
    accepts,
  }));
};

/** Undefined: no provider is set. */
export function providerSettings(config: ProviderConfig): ProviderSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret,
    name: config.oidcName ?? new URL(issuer).host,
    scopes: [...new Set(['openid', ...config.oidcScopes])],
    groupsClaim: config.oidcGroupsClaim,
    groups: config.oidcGroups.map((pair) => {
      const [, slug = '', value = ''] = GROUP.exec(pair) ?? [];
      return { slug, value };
    }),
    registration: config.oidcRegistration,
    linkByEmail: config.oidcLinkByEmail,
    secondFactor: config.oidcSecondFactor,
  };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isIssuer(value: string): boolean {
  if (!isPlainHttpAddress(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || LOOPBACK.test(hostname);
}
