// The provider's state (codes, grants, refresh tokens, interactions, sessions, clients) in the database, through the functions
// made for it. The library throws what it cannot store; so do we.

import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { CallerDb } from '../../auth/caller-db.ts';
import type { Param, StatementResult } from '../../pg/driver.ts';
import { jsonRow } from '../../pg/rows.ts';

export type OidcStore = Adapter & {
  /** Without `expiresIn` (seconds) it stays until it is destroyed. */
  upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void>;
};

export function makeOidcStore(db: CallerDb, kind: string): OidcStore {
  const get = async (by: 'id' | 'user_code' | 'uid', value: string): Promise<AdapterPayload | undefined> => {
    // PostgreSQL has no text with this character: nothing is stored under it.
    if (value.includes('\0')) return undefined;
    const found = await call(db, `select portal.oidc_get($1, ${by} => $2)`, kind, value);
    return jsonRow(found) as AdapterPayload | undefined;
  };
  return {
    async upsert(id, payload, expiresIn) {
      await call(
        db,
        'select portal.oidc_put($1, $2, $3::jsonb, now() + make_interval(secs => $4::double precision))',
        kind,
        id,
        JSON.stringify(payload),
        expiresIn === undefined ? null : String(expiresIn),
      );
    },
    find: (id) => get('id', id),
    findByUserCode: (userCode) => get('user_code', userCode),
    findByUid: (uid) => get('uid', uid),
    async consume(id) {
      await call(db, 'select portal.oidc_consume($1, $2)', kind, id);
    },
    async destroy(id) {
      await call(db, 'select portal.oidc_drop($1, $2)', kind, id);
    },
    async revokeByGrantId(grantId) {
      await call(db, 'select portal.oidc_revoke($1)', grantId);
    },
  };
}

async function call(db: CallerDb, text: string, ...params: Param[]): Promise<StatementResult> {
  const executed = await db.service([{ text, params }]);
  if (!executed.ok) {
    const said = 'message' in executed.error ? executed.error.message : executed.error.kind;
    throw new Error(`the state of the OpenID provider cannot be reached: ${said}`);
  }
  const [result] = executed.value;
  if (result === undefined) throw new Error('a batch of one statement had no result');
  return result;
}
