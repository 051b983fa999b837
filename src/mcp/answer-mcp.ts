// A request to `/mcp` → its reply. What can be judged without the protocol is judged here: verb, origin, size, one message at a time, and whether whoever asks
// has to sign in for what is asked. The rest is the library's, which is loaded with the first message.

import { firstHeader, type HttpReply, type HttpRequest } from '../http/http-message.ts';
import { type McpContext, type Need, TOOL_NEEDS } from './mcp-context.ts';

export const MCP_PATH = '/mcp';

const MAX_MESSAGE = 1024 * 1024;

export type McpRules = {
  /** Origins of pages that may ask: those of the service's own public address. Others are refused, since a page could reach a server of its reader's network. */
  readonly ownOrigin: string | undefined;
  /** Undefined: it may. Otherwise how a client is told what it lacks. */
  readonly lacks: (need: Exclude<Need, 'none'>) => HttpReply | undefined;
};

/** `context`: asked for when the message is known to be one that is answered. */
export async function answerMcp(http: HttpRequest, rules: McpRules, context: () => McpContext): Promise<HttpReply> {
  const origin = firstHeader(http.headers, 'origin');
  if (origin !== undefined && origin !== rules.ownOrigin) return fault(403, 'Pages of other sites may not ask.');
  if (http.method !== 'POST')
    return {
      ...fault(405, 'Send messages by POST; there are no streams and no sessions.'),
      headers: [JSON_TYPE, ['Allow', 'POST']],
    };
  if (http.body.length > MAX_MESSAGE) return fault(413, `A message has at most ${MAX_MESSAGE} bytes.`);
  const message = parsed(http.body);
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return fault(400, 'Send one message of JSON-RPC at a time.');
  const need = needOf(message as Readonly<Record<string, unknown>>);
  const lacking = need === 'none' ? undefined : rules.lacks(need);
  if (lacking !== undefined) return lacking;
  const { handlerFor } = await import('./mcp-server.ts');
  const headers = new Headers();
  for (const [name, value] of Object.entries(http.headers))
    if (typeof value === 'string' && PROTOCOL_HEADERS.has(name)) headers.set(name, value);
  const request = new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers, body: Buffer.from(http.body) });
  const response = await handlerFor(context()).fetch(request, { parsedBody: message });
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => name === 'content-type').concat([['Cache-Control', 'no-store']]),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

const PROTOCOL_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
]);

function needOf({ method, params }: Readonly<Record<string, unknown>>): Need {
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return 'none';
  return TOOL_NEEDS.get(String((params as Readonly<Record<string, unknown>>)['name'])) ?? 'none';
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

export function fault(status: number, message: string, headers: HttpReply['headers'] = []): HttpReply {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: status === 400 ? -32600 : -32000, message } });
  return { status, headers: [JSON_TYPE, ['Cache-Control', 'no-store'], ...headers], body };
}
