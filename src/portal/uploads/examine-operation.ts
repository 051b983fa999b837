// Whether the copies of the program, their queues and replicas are well, and no account is above its quota. For people to decide about.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { serviceAsAdmin } from '../accounts/account-store.ts';
import { concerns } from '../monitoring/concerns.ts';
import { readStatus } from '../monitoring/operation-status.ts';
import type { ExamineOptions, Finding } from './finding.ts';

export async function lookAtOperation(
  { db }: ExamineOptions,
  tell: (finding: Finding) => void,
): Promise<Result<undefined, DbError>> {
  const status = await readStatus(db);
  if (!status.ok) return err(status.error);
  for (const text of concerns(status.value)) tell({ kind: 'operation', what: '', text, canFix: false, isFixed: false });
  const over = await serviceAsAdmin(db, [
    {
      text: 'select s.username, pg_size_pretty(s.used), pg_size_pretty(s.allowed) from portal.storage_use(1000) s where s.used > s.allowed',
      params: [],
    },
  ]);
  if (!over.ok) return err(over.error);
  for (const [name = '', used, allowed] of over.value.flatMap(textRows))
    tell({
      kind: 'quota-exceeded',
      what: name ?? '',
      text: `${name} uses ${used} of the ${allowed} that are allowed: uploads and documents of the account are refused. Raise its quota, or have something deleted.`,
      canFix: false,
      isFixed: false,
    });
  return ok(undefined);
}
