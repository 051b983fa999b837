// The Prefer header of a request (RFC 7240) → whether the client prefers this.

import type { IncomingHttpHeaders } from 'node:http';

export function prefers(headers: IncomingHttpHeaders, name: string, value: string): boolean {
  const { prefer = [] } = headers;
  return [prefer].flat().some((line) =>
    line.split(',').some((preference) => {
      const [token = '', ...rest] = (preference.split(';', 1)[0] ?? '').split('=');
      const wanted = rest
        .join('=')
        .trim()
        .replace(/^"(.*)"$/, '$1');
      return token.trim().toLowerCase() === name && wanted.toLowerCase() === value;
    }),
  );
}

/** Members of a body that no field has are ignored, as scripts made for GeoNode rely on; a client may prefer a refusal. */
export function isStrict({ request }: { readonly request: { readonly headers: IncomingHttpHeaders } }): boolean {
  return prefers(request.headers, 'handling', 'strict');
}

/** New records are written and taken back, so that a client sees what they would be. */
export function isDryRun({ request }: { readonly request: { readonly headers: IncomingHttpHeaders } }): boolean {
  return prefers(request.headers, 'tx', 'rollback');
}

export const ROLLED_BACK = { 'Preference-Applied': 'tx=rollback' } as const;
