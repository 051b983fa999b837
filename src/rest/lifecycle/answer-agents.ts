// What agents ask of the REST service: requests of the usual pipeline, as the caller, with stricter limits than those of everybody.

import { firstHeader, type HttpReply, type HttpRequest } from '../../http/http-message.ts';
import { answerMcp } from '../../mcp/answer-mcp.ts';
import { carriedHeaders, readReply } from '../../mcp/asking.ts';
import type { RestConfig } from '../config/config.ts';
import type { ClientInfo } from '../pipeline/client-info.ts';
import { makeState, type RestState } from '../pipeline/state.ts';

/** Answers a request under these settings, as the service answers any. */
export type AnswerIn = (state: RestState, http: HttpRequest, client: ClientInfo) => Promise<HttpReply>;

export type Agents = {
  /** A request to `/mcp` of the service itself. */
  answer(http: HttpRequest, client: ClientInfo): Promise<HttpReply>;
  /** What a tool asks. */
  ask(http: HttpRequest, client: ClientInfo): Promise<HttpReply>;
};

export function makeAgents(current: () => RestState, answerIn: AnswerIn): Agents {
  const stateForAgents = makeStateForAgents();
  const ask: Agents['ask'] = (http, client) => answerIn(stateForAgents(current()), http, client);
  return {
    ask,
    async answer(http, client) {
      const { config, version } = current();
      const carried = carriedHeaders(http.headers);
      // Who asks is looked at before anything is answered; no connection is taken for it.
      const known = await ask({ method: 'OPTIONS', path: '/', query: '', headers: carried, body: NOTHING }, client);
      if (known.status >= 400) return known;
      const { origin } = address(config, http);
      return answerMcp(http, { ownOrigin: undefined, lacks: () => undefined }, () => ({
        caller: carried['authorization'] === undefined ? 'a visitor' : 'the role that the token names',
        offersWriting: config.mcp === 'write',
        version,
        rest: async ({ method, path, headers = {}, json }) => {
          const [pathname = '/', query = ''] = splitOnce(path);
          const sent = json === undefined ? {} : { 'content-type': 'application/json' };
          return readReply(
            await ask(
              {
                method,
                path: pathname,
                query,
                headers: { ...carried, ...headers, ...sent },
                body: json === undefined ? NOTHING : Buffer.from(JSON.stringify(json)),
              },
              client,
            ),
          );
        },
        portal: undefined,
        tableSource: (table) => ({ service: `${origin}${http.mount ?? ''}/${encodeURIComponent(table)}` }),
      }));
    },
  };
}

const NOTHING = new Uint8Array();

function splitOnce(path: string): [string, string] {
  const at = path.indexOf('?');
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
}

function address({ openapiServerProxyUri }: RestConfig, { headers }: HttpRequest): { readonly origin: string } {
  return { origin: openapiServerProxyUri ?? `http://${firstHeader(headers, 'host') ?? 'localhost'}` };
}

/** Rows of one answer. A tool asks for fewer; this is for what it cannot say, such as the rows of a write. */
const MAX_ROWS = 1000;

/** Made when an agent first asks after a load or a reload. Its shapes are its own, since their statements and limits are. */
function makeStateForAgents(): (state: RestState) => RestState {
  const made = new WeakMap<RestState, RestState>();
  return (state) => {
    const known = made.get(state);
    if (known !== undefined) return known;
    const { config, version, auth, cache, roles } = state;
    const fresh = makeState({
      config: {
        ...config,
        dbMaxCost: Math.min(config.dbMaxCost ?? Number.POSITIVE_INFINITY, config.mcpMaxCost),
        dbMaxRows: Math.min(config.dbMaxRows ?? MAX_ROWS, MAX_ROWS),
        // A dry run is undone whatever the settings say of other clients.
        dbTxEnd: config.dbTxEnd.startsWith('rollback') ? config.dbTxEnd : 'commit-allow-override',
        serverCompressionMinSize: 0,
      },
      version,
      auth,
      cache,
      roles,
    });
    made.set(state, fresh);
    return fresh;
  };
}
