// The provider of the address a request came to. With a public address there is one; without, somebody may reach the portal
// as localhost, by its name or by its number, and OpenID wants the issuer to be exactly what the client asked.

import type { Provider } from 'oidc-provider';
import { makeProvider, type ProviderParts } from './provider.ts';

export type Providers = (baseUrl: string) => Provider;

const MAX_PROVIDERS = 8; // a client can make up host names, but not more than this at a time

export function makeProviders(parts: ProviderParts): Providers {
  const made = new Map<string, Provider>();
  return (baseUrl) => {
    const known = made.get(baseUrl);
    if (known !== undefined) return known;
    const oldest = made.size >= MAX_PROVIDERS ? made.keys().next() : undefined;
    if (oldest?.done === false) made.delete(oldest.value);
    const provider = makeProvider(baseUrl, parts);
    made.set(baseUrl, provider);
    return provider;
  };
}
