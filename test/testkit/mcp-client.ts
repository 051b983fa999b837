// An agent's client: the library of the protocol's authors, over HTTP.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export type Agent = {
  /** What a tool says, all of its texts; refusals begin with `REFUSED`. */
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
  readonly client: Client;
  close(): Promise<void>;
};

/** `era`: whether the client speaks as those of 2025 do, or as those of 2026. */
export async function openAgent(url: string, token?: string, era: 'legacy' | 'modern' = 'modern'): Promise<Agent> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : 'auto' } },
  );
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    client,
    async call(tool, args = {}) {
      const { content, isError } = await client.callTool({ name: tool, arguments: { ...args } });
      const said = (content as readonly { readonly type: string; readonly text?: string }[])
        .map(({ type, text }) => text ?? type)
        .join('\n');
      return isError === true ? `REFUSED ${said}` : said;
    },
    close: () => client.close(),
  };
}

/** What stands between the marks. */
export function dataIn(said: string): unknown {
  const found = /<(data-[0-9a-f]{16})>\n([\s\S]*)\n<\/\1>$/.exec(said);
  if (found === null) throw new Error(`no data in: ${said}`);
  return JSON.parse(found[2] ?? '');
}

/** What a read says of its rows. */
export function factsIn(said: string): Record<string, unknown> {
  return JSON.parse(said.slice(0, said.indexOf('\n'))) as Record<string, unknown>;
}
