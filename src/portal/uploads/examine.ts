// Whether what is stored fits together: tables and layers, files and what refers to them, uploads and their jobs, totals. What can be put
// right without losing anything is put right where that is asked for; the rest is for people to decide.

import { sweepOrphans } from '../../blobs/sweep-orphans.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { objects, textRows } from '../../pg/rows.ts';
import { quoteIdent } from '../../sql/index.ts';
import { lookAtOperation } from './examine-operation.ts';
import { lookAtTotals } from './examine-totals.ts';
import type { ExamineOptions, Finding } from './finding.ts';
import { findDead, findForgotten } from './import-run.ts';
import { orphansAmong } from './noted-blobs.ts';
import { AS_SERVICE } from './service-scope.ts';
import { first, serviceTransaction, statement } from './service-transaction.ts';
import { IMPORT_QUEUE } from './upload-row.ts';

export async function examine(options: ExamineOptions): Promise<Result<readonly Finding[], DbError>> {
  const findings: Finding[] = [];
  for (const look of [lookAtTables, lookAtFiles, lookAtImports, lookAtJobs, lookAtTotals, lookAtOperation]) {
    const looked = await look(options, (finding) => findings.push(finding));
    if (!looked.ok) return looked;
  }
  return ok(findings);
}

type Tell = (finding: Finding) => void;
type Look = Promise<Result<undefined, DbError>>;

const TABLE_FINDINGS: Readonly<
  Record<string, { kind: Finding['kind']; text: (name: string, layer: number | null) => string }>
> = {
  'staged table': {
    kind: 'staged-table',
    text: (name) => `staging.${name} was left behind by an import that ended.`,
  },
  'table without layer': {
    kind: 'table-without-layer',
    text: (name) => `layers.${name} belongs to no layer of the catalogue: publish it, move it elsewhere, or drop it.`,
  },
  'layer without table': {
    kind: 'layer-without-table',
    text: (name, layer) => `The table layers.${name} of layer ${layer} is missing: restore it, or delete the layer.`,
  },
  'layer without data': {
    kind: 'layer-without-data',
    text: (name, layer) => `Layer ${layer} (${name}) has neither a table nor a raster: delete it, or import it again.`,
  },
};

async function lookAtTables({ db, fix }: ExamineOptions, tell: Tell): Look {
  const found = await db.service([
    { ...statement('select kind, name, resource_id from portal.stray_tables()'), describe: true },
  ]);
  if (!found.ok) return found;
  for (const row of objects<{ kind: string; name: string; resource_id: number | null }>(first(found.value))) {
    const known = TABLE_FINDINGS[row.kind];
    if (known === undefined) continue;
    const canFix = known.kind === 'staged-table';
    const dropped =
      canFix &&
      fix !== undefined &&
      (await db.service([statement(`drop table if exists staging.${quoteIdent(row.name)}`)])).ok;
    tell({ kind: known.kind, what: row.name, text: known.text(row.name, row.resource_id), canFix, isFixed: dropped });
  }
  return ok(undefined);
}

async function lookAtFiles({ db, blobs, fix, orphanAgeMs, now }: ExamineOptions, tell: Tell): Look {
  const used = await usedFiles(db);
  if (!used.ok) return used;
  const owners = used.value;
  const foreign: string[] = [];
  const orphans = await sweepOrphans(blobs, {
    kept: async (keys) => {
      const found = await orphansAmong(db, keys);
      if (!found.ok) return new Set(keys);
      foreign.push(...keys.filter((key) => !owners.has(key) && !found.value.has(key)));
      return new Set(keys.filter((key) => !found.value.has(key)));
    },
    olderThanMs: orphanAgeMs,
    now,
    isTrial: fix === undefined,
  });
  for (const key of orphans) {
    tell({
      kind: 'orphan-file',
      what: key,
      text: `The file ${key} belongs to nothing.`,
      canFix: true,
      isFixed: fix !== undefined,
    });
  }
  if (foreign.length > 0) {
    const some = foreign.slice(0, 3).join(', ');
    tell({
      kind: 'foreign-file',
      what: foreign[0] ?? '',
      text:
        `${foreign.length} files were not made by this database (${some}${foreign.length > 3 ? ', …' : ''}): they are of another one, ` +
        'or of this one after the copy of it was taken that is in use now. Nothing removes them; do so yourself if they are not needed.',
      canFix: false,
      isFixed: false,
    });
  }
  const there = new Set<string>();
  for await (const { key } of blobs.list()) there.add(key);
  const missing = [...owners.keys()].filter((key) => !there.has(key));
  if (missing.length === 0) return ok(undefined);
  // Pictures are drawn anew and files replaced while this looks: what was removed by that has nothing that refers to it any more.
  const stillUsed = await usedFiles(db);
  if (!stillUsed.ok) return stillUsed;
  for (const key of missing) {
    const owner = stillUsed.value.get(key);
    if (owner === undefined) continue;
    const text = `The file ${key} of ${owner} is missing: restore it from a backup, or delete what it belongs to.`;
    tell({ kind: 'missing-file', what: key, text, canFix: false, isFixed: false });
  }
  return ok(undefined);
}

/** What rows refer to, with whose it is. */
async function usedFiles(db: ExamineOptions['db']): Promise<Result<ReadonlyMap<string, string>, DbError>> {
  const used = await db.service([{ ...statement('select blob, used_by from portal.used_blobs()'), describe: true }]);
  if (!used.ok) return used;
  const rows = objects<{ blob: string; used_by: string }>(first(used.value));
  return ok(new Map(rows.map(({ blob, used_by }) => [blob, used_by])));
}

async function lookAtImports({ db, fix, staleMs }: ExamineOptions, tell: Tell): Look {
  const dead = await findDead(db, staleMs);
  if (!dead.ok) return dead;
  for (const id of dead.value) {
    if (fix !== undefined && (await fix.jobs.giveBack(IMPORT_QUEUE, { upload: id })) === 0)
      await fix.jobs.send(IMPORT_QUEUE, { upload: id });
    const text = `The worker that imported upload ${id} has died; the import begins again by itself when the program runs.`;
    tell({ kind: 'dead-import', what: String(id), text, canFix: true, isFixed: fix !== undefined });
  }
  const forgotten = await findForgotten(db);
  if (!forgotten.ok) return forgotten;
  for (const id of forgotten.value) {
    await fix?.jobs.send(IMPORT_QUEUE, { upload: id });
    const text = `Upload ${id} waits to be imported, but nobody was told.`;
    tell({ kind: 'forgotten-upload', what: String(id), text, canFix: true, isFixed: fix !== undefined });
  }
  return ok(undefined);
}

async function lookAtJobs({ db, fix }: ExamineOptions, tell: Tell): Look {
  const found = await serviceTransaction(db, async (session) => {
    const read = await session.execute([
      statement(
        `select id::text, data ->> 'upload' from jobs.job where name = $1 and state < 'completed' and data ? 'upload'`,
        IMPORT_QUEUE,
      ),
      AS_SERVICE,
      statement('select id::text from portal.upload'),
    ]);
    return read.ok ? ok(read.value.map(textRows)) : err(read.error);
  });
  if (!found.ok) return found;
  const [jobs = [], , uploads = []] = found.value;
  const known = new Set(uploads.map(([id]) => id));
  for (const [job, upload] of jobs) {
    if (known.has(upload ?? null)) continue;
    const removed =
      fix !== undefined &&
      (await db.service([statement('delete from jobs.job where name = $1 and id = $2', IMPORT_QUEUE, job ?? '')])).ok;
    tell({
      kind: 'lost-job',
      what: job ?? '',
      text: `A job is to import upload ${upload}, which is gone.`,
      canFix: true,
      isFixed: removed,
    });
  }
  return ok(undefined);
}
