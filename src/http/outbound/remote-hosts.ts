// The allow-list of hosts that the program asks on behalf of people. Pure.

/** `maps.example.org`, `*.example.org` (any host below it), each with a port if it is not that of the scheme. */
export type RemoteHosts = {
  readonly allowed: readonly string[];
  /** Of those that may also have an address of a private network; named exactly. */
  readonly internal: readonly string[];
};

export const NO_REMOTE_HOSTS: RemoteHosts = { allowed: [], internal: [] };

export type HostVerdict =
  | { readonly kind: 'allowed'; readonly isInternal: boolean }
  | { readonly kind: 'refused'; readonly why: 'scheme' | 'credentials' | 'host' };

export function judgeHost(address: URL, { allowed, internal }: RemoteHosts): HostVerdict {
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return { kind: 'refused', why: 'scheme' };
  if (address.username !== '' || address.password !== '') return { kind: 'refused', why: 'credentials' };
  // `host` has the port where it is not the scheme's own. A dot at the end names the same host.
  const host = address.host.replace(/\.(?=:|$)/, '');
  if (internal.includes(host)) return { kind: 'allowed', isInternal: true };
  const isAllowed = allowed.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one));
  return isAllowed ? { kind: 'allowed', isInternal: false } : { kind: 'refused', why: 'host' };
}
