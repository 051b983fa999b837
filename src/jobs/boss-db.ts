// The driver as the job library wants its database: text and values in, rows out, exceptions for errors.

import { DbException } from '../pg/db-exception.ts';
import type { Driver, Param, Session } from '../pg/driver.ts';
import { objects } from '../pg/rows.ts';

export type BossDb = {
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
};

export function makeBossDb(db: Pick<Driver, 'execute' | 'script'> | Session): BossDb {
  return {
    async executeSql(text, values) {
      // Texts without values are either one statement or a script that brings its own BEGIN and COMMIT.
      if (values === undefined && /^\s*begin\s*;/i.test(text)) {
        const ran = await db.script(text);
        if (!ran.ok) throw new DbException(ran.error);
        return { rows: [] };
      }
      const executed = await db.execute([{ text, params: (values ?? []).map(toParam), describe: true }]);
      if (!executed.ok) throw new DbException(executed.error);
      const [result] = executed.value;
      return { rows: result === undefined ? [] : objects(result) };
    },
  };
}

function toParam(value: unknown): Param {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(arrayElement).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function arrayElement(value: unknown): string {
  return value === null || value === undefined ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`;
}
