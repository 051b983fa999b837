// One case through HTTP, against pgbench sending the same statements; both several times in turn, the medians compared.

import type { HttpRequest } from '../../src/http/http-message.ts';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median, ratios } from '../lib/median.ts';
import { type PlainStatement, pgbench } from '../lib/pgbench.ts';
import type { BenchRow } from '../lib/report.ts';
import { POOL, type RestSetting } from './setting.ts';
import { plain, statementsFor } from './statements.ts';

export type RestCase = {
  readonly what: string;
  readonly method?: string;
  /** With `%n` for a number that is another one each time. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withToken?: boolean;
  readonly expect?: number;
  /** Whose statements are the ceiling, where the case itself sends none or fails. */
  readonly ceiling?: Ceiling | readonly Ceiling[];
  /** What the reference sends in place of the main statement. */
  readonly reference?: PlainStatement;
  readonly ratio: number;
};

/** A request whose statements are sent; of several, all of them. */
type Ceiling = Pick<RestCase, 'method' | 'target' | 'headers' | 'body'>;

export const SECONDS = 3;
export const ROUNDS = 3;
const CONNECTIONS = 32;
/** Until V8 has compiled what a request runs through, a server takes up to three times as long: some six thousand requests, of long answers seconds. */
export const WARM_UP_SECONDS = 6;

export async function measure(one: RestCase, setting: RestSetting): Promise<BenchRow> {
  const headers = { ...one.headers, ...(one.withToken === true ? { Authorization: `Bearer ${setting.token}` } : {}) };
  const method = one.method ?? 'GET';
  const request = httpRequest(method, one.target, headers, one.body);
  const statements: PlainStatement[] = [];
  for (const ceiling of [one.ceiling ?? one].flat()) {
    const asked = toHttp(
      ceiling.method ?? 'GET',
      ceiling.target.replaceAll('%n', '500'),
      { ...headers, ...ceiling.headers },
      ceiling.body ?? '',
    );
    const sent = (await statementsFor(asked, setting.state)).map(plain);
    statements.push(...(one.reference === undefined ? sent : [...sent.slice(0, 1), one.reference]));
  }
  const ours: number[] = [];
  const ceilings: number[] = [];
  // Code that has not been compiled yet, connections not open yet: not what is asked about here.
  await httpLoad({
    port: setting.port,
    request,
    connections: CONNECTIONS,
    seconds: WARM_UP_SECONDS,
    expect: one.expect ?? 200,
  });
  for (let round = 0; round < ROUNDS; round++) {
    ceilings.push(await pgbench(statements, { bin: setting.bin, uri: setting.uri, clients: POOL, seconds: SECONDS }));
    const load = await httpLoad({
      port: setting.port,
      request,
      connections: CONNECTIONS,
      seconds: SECONDS,
      expect: one.expect ?? 200,
    });
    if (load.unexpected.size > 0)
      throw new Error(`${one.what}: unexpected answers ${JSON.stringify([...load.unexpected])}`);
    ours.push(load.perSecond);
  }
  return {
    what: one.what,
    measured: median(ours),
    reference: median(ceilings),
    unit: 'req/s',
    target: one.ratio,
    rounds: ratios(ours, ceilings),
  };
}

export function toHttp(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): HttpRequest {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const lower = Object.fromEntries(
    Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { method, path, query, headers: lower, body: Buffer.from(body) };
}
