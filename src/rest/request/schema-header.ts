// Which of the exposed schemas a request is about: the header its method uses for that, else the first one.

import { firstHeader, type HttpHeaders } from '../../http/http-message.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { RequestError } from './request-error.ts';

export type ChosenSchema = {
  readonly schema: string;
  /** There was a choice, or the client made one. */
  readonly negotiated: boolean;
};

export function chooseSchema(
  method: string,
  headers: HttpHeaders,
  exposed: readonly [string, ...string[]],
): Result<ChosenSchema, RequestError> {
  const asked = firstHeader(headers, writes(method) ? 'content-profile' : 'accept-profile')?.trim();
  if (asked === undefined) return ok({ schema: exposed[0], negotiated: exposed.length > 1 });
  if (!exposed.includes(asked)) return err({ kind: 'schema-not-exposed', schema: asked, exposed });
  return ok({ schema: asked, negotiated: true });
}

function writes(method: string): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT' || method === 'DELETE';
}
