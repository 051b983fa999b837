// Cookies, read and written.

/** The first cookie of that name, as it was sent; undefined: there is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals >= 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

export type CookieOptions = {
  /** Seconds; 0 takes the cookie away. */
  readonly maxAge: number;
  /** Only sent over TLS. */
  readonly secure: boolean;
  /** Out of reach of scripts in pages. */
  readonly httpOnly: boolean;
};

/** A cookie of the whole portal that other sites cannot make a browser send with anything but a link. */
export function cookieLine(name: string, value: string, { maxAge, secure, httpOnly }: CookieOptions): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${httpOnly ? '; HttpOnly' : ''}${secure ? '; Secure' : ''}`;
}
