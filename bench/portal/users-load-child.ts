// JSON of the load in, JSON of what came of it out.

import { text } from 'node:stream/consumers';
import { httpRequest } from '../lib/http-load.ts';
import { openPlainClient, type PlainClient } from './plain-client.ts';
import type { UsersLoad, UsersResult } from './users-load.ts';

const { port, seconds, users, lists } = JSON.parse(await text(process.stdin)) as UsersLoad;
const times: number[] = [];
const errors: Record<string, number> = {};
const began = performance.now();
const until = began + seconds * 1000;

type Step = {
  readonly method: string;
  readonly path: string;
  readonly isVisitor?: boolean;
  readonly body?: unknown;
  readonly expect?: number;
};

/** What a person does: looks around, changes something, takes back what everybody could see and gives it again. */
function stepsOf(item: number): readonly Step[] {
  const own = `/api/v2/resources/${item}/`;
  const give = (groups: unknown): Step => ({ method: 'PUT', path: `${own}set_perms/`, body: { groups } });
  return [
    ...lists.map((path): Step => ({ method: 'GET', path })),
    { method: 'GET', path: own },
    { method: 'PATCH', path: own, body: { purpose: 'Looked after' } },
    give({}),
    // A grant taken back is gone with the next request, however many are under way.
    { method: 'GET', path: own, isVisitor: true, expect: 404 },
    give({ anonymous: ['view_resourcebase'] }),
    { method: 'GET', path: own, isVisitor: true },
    { method: 'GET', path: `${own}get_perms/` },
  ];
}

await Promise.all(
  users.map(async ({ token, item }, n) => {
    const steps = stepsOf(item);
    let client = openPlainClient(port);
    // Everybody is somewhere else, so that it is the same load all the time; but visitors come after what was taken or given.
    for (let at = startOf(n % steps.length, steps); performance.now() < until; at++) {
      const step = steps[at % steps.length];
      if (step === undefined || (await take(client, step, token))) continue;
      client.close();
      client = openPlainClient(port);
    }
    client.close();
  }),
);

function startOf(at: number, steps: readonly Step[]): number {
  return steps[at]?.isVisitor === true ? at - 1 : at;
}

/** False: the connection is lost. */
async function take(client: PlainClient, step: Step, token: string): Promise<boolean> {
  const { method, path, isVisitor = false, body, expect = 200 } = step;
  const headers = {
    ...(isVisitor ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const request = httpRequest(method, path, headers, body === undefined ? '' : JSON.stringify(body));
  const sent = performance.now();
  const status = await client.ask(request).catch((error: Error) => error.message);
  times.push(performance.now() - sent);
  if (status !== expect) {
    const what = `${method} ${path.replace(/\d+/g, 'N').replace(/\?.*/, '')}: ${status}`;
    errors[what] = (errors[what] ?? 0) + 1;
  }
  return typeof status === 'number';
}

const sorted = times.toSorted((a, b) => a - b);
const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
const result: UsersResult = {
  answers: times.length,
  perSecond: times.length / ((performance.now() - began) / 1000),
  median: at(0.5),
  most: at(0.95),
  slow: at(0.99),
  errors,
};
process.stdout.write(JSON.stringify(result));
