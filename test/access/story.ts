// Statements as somebody: callers and SQL → what came of it, in a transaction that is always rolled back, so that every
// test starts from the same world. A refused statement is undone alone; the story goes on after it.

import type { Param, Session, Statement } from '../../src/pg/driver.ts';
import { objects } from '../../src/pg/rows.ts';
import type { TestDatabase } from '../testkit/database.ts';

export type Caller = {
  readonly role: 'survest_anon' | 'survest_user' | 'survest_admin' | 'survest_authenticator' | 'none';
  /** request.jwt.claims, whatever was signed. */
  readonly claims: unknown;
};

export type Outcome =
  | { readonly kind: 'done'; readonly rows: readonly Record<string, unknown>[]; readonly count: number }
  | { readonly kind: 'failed'; readonly sqlstate: string; readonly message: string };

export type Story = {
  /** One statement as the caller. */
  tell(caller: Caller, sql: string, ...params: unknown[]): Promise<Outcome>;
  /** The same where it has to succeed: its rows. */
  rows<T = Record<string, unknown>>(caller: Caller, sql: string, ...params: unknown[]): Promise<T[]>;
};

/** The owner of the tables: no policy, no guard. */
export const owner: Caller = { role: 'none', claims: '' };
export const visitor: Caller = { role: 'survest_anon', claims: '' };
export const authenticator: Caller = { role: 'survest_authenticator', claims: '' };
/** The service's own workers. */
export const service: Caller = { role: 'survest_admin', claims: {} };
export const account = (id: number): Caller => ({
  role: 'survest_user',
  claims: { sub: String(id), role: 'survest_user' },
});
export const admin = (id: number): Caller => ({
  role: 'survest_admin',
  claims: { sub: String(id), role: 'survest_admin' },
});

export async function story<T>(db: TestDatabase, plot: (story: Story) => Promise<T>): Promise<T> {
  const held = await db.driver.hold(async (session) => {
    await must(session, 'begin');
    const told = await plot({
      tell: (caller, sql, ...params) => tell(session, caller, sql, params),
      rows: async (caller, sql, ...params) => {
        const outcome = await tell(session, caller, sql, params);
        if (outcome.kind === 'failed') throw new Error(`${outcome.sqlstate} ${outcome.message}\n${sql}`);
        return outcome.rows as never;
      },
    });
    await must(session, 'rollback');
    return told;
  });
  if (!held.ok) throw new Error(JSON.stringify(held.error));
  return held.value;
}

const BACK_TO_OWNER: Statement = {
  text: "select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)",
  params: [],
};

/** All in one batch: there are thousands of these. */
async function tell(session: Session, caller: Caller, sql: string, params: readonly unknown[]): Promise<Outcome> {
  const claims = typeof caller.claims === 'string' ? caller.claims : JSON.stringify(caller.claims);
  const executed = await session.execute([
    { text: 'savepoint step', params: [] },
    {
      text: "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
      params: [caller.role, claims],
    },
    { text: sql, params: params.map(param), describe: true },
    BACK_TO_OWNER,
  ]);
  if (!executed.ok) {
    if (executed.error.kind !== 'sql') throw new Error(JSON.stringify(executed.error));
    if (executed.error.statement !== 2) throw new Error(`before the statement: ${JSON.stringify(executed.error)}`);
    const back = await session.execute([{ text: 'rollback to savepoint step', params: [] }, BACK_TO_OWNER]);
    if (!back.ok) throw new Error(JSON.stringify(back.error));
    return { kind: 'failed', sqlstate: executed.error.sqlstate, message: executed.error.message };
  }
  const [, , result] = executed.value;
  if (result === undefined) throw new Error('a batch had fewer results than statements');
  const rows = result.fields === undefined || result.fields.length === 0 ? [] : objects(result);
  return { kind: 'done', rows, count: Number(/\d+$/.exec(result.tag)?.[0] ?? 0) };
}

async function must(session: Session, text: string): Promise<void> {
  const executed = await session.execute([{ text, params: [] }]);
  if (!executed.ok) throw new Error(`${text}: ${JSON.stringify(executed.error)}`);
}

function param(value: unknown): Param {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(String(item))).join(',')}}`;
  return JSON.stringify(value);
}
