// The portal's address as a client knows it, without a slash at the end: that of the settings, or else the one the request
// came to.

/** `host` is the Host header, which may be anything. */
export function baseUrl(publicUrl: string | undefined, host: string): string {
  if (publicUrl !== undefined) return publicUrl;
  const address = `http://${host}`;
  return /^[A-Za-z0-9.:[\]_-]+$/.test(host) && URL.canParse(address) ? new URL(address).origin : 'http://localhost';
}
