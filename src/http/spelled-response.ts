// Node's response, with header names as the world spells them whoever sets them: frameworks lower them all (Fastify, Koa). A flat
// list of names and values, the form that the REST service writes, is left as it is: its names are spelled in the code.

import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { spellHeaderName } from './header-name.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

export class SpelledResponse extends ServerResponse {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(spellHeaderName(name), value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    return super.appendHeader(spellHeaderName(name), value);
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    return typeof reason === 'string'
      ? super.writeHead(status, reason, spelled(headers))
      : super.writeHead(status, spelled(reason ?? headers));
  }
}

function spelled(headers: Headers | undefined): Headers | undefined {
  if (headers === undefined || Array.isArray(headers)) return headers;
  const names: OutgoingHttpHeaders = {};
  for (const name of Object.keys(headers)) names[spellHeaderName(name)] = headers[name];
  return names;
}
