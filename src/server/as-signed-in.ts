// Addresses below /rest/v1 that a browser opens on the portal's port: the session of its cookie becomes the token of the request.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { noteCause } from '../http/request-notes.ts';
import type { SessionBearer } from '../portal/oidc/session-bearer.ts';
import type { Handler } from './portal/portal-gate.ts';

/** `bearerOf` is undefined as long as there is no portal whose tokens the service takes. */
export function asSignedIn(listener: Handler, bearerOf: () => SessionBearer | undefined): Handler {
  return (request, response) => {
    const bearer = bearerOf();
    const { cookie } = request.headers;
    if (bearer === undefined || cookie === undefined || !isOpened(request.method, request.headers)) {
      listener(request, response);
      return;
    }
    void bearer(cookie).then((found) => {
      if (!found.ok) return comeBack(request, response);
      if (found.value !== undefined) {
        const authorization = `Bearer ${found.value}`;
        request.headers.authorization = authorization;
        request.rawHeaders.push('Authorization', authorization);
      }
      listener(request, response);
    });
  };
}

/**
 * Read by the person, or by a page of this very server. A page of another origin may make a browser send the cookie too, and the service
 * lets other origins read its answers: they stay a visitor's.
 */
function isOpened(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false;
  if (headers.origin !== undefined) return false;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'none' || site === 'same-origin' || headers['sec-fetch-mode'] === 'navigate';
}

function comeBack(request: IncomingMessage, response: ServerResponse): void {
  noteCause(request, 'the session could not be read');
  response.writeHead(503, { 'Retry-After': '5', 'Content-Type': 'application/json' });
  response.end(
    '{"code":"SVRST000","message":"The database cannot be reached. Please try again.","details":null,"hint":null}',
  );
}
