// The origin of an address as a Content-Security-Policy may name it. URLs allow `;`, `,` and quotes in the names of hosts: in a policy these begin
// another directive, another policy or a keyword.

const PLAIN_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

/** Undefined: no policy can name it, be it for its host or since its scheme has no origins. */
export function policyOrigin(address: string): string | undefined {
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return PLAIN_ORIGIN.test(origin) ? origin : undefined;
}
