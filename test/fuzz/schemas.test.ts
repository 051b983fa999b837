// No legal schema stops the service, or makes it say something else than the catalogue. `FUZZ_SEED` repeats a run, and
// `FUZZ_SCHEMAS` says how many; without it they are more where every suite runs everywhere, and thousands in `npm run bench schema-fuzz`.

import { beforeAll, expect, inject, test } from 'vitest';
import { proveSchemas } from '../testkit/check-schema.ts';
import { onEachEngine } from '../testkit/database.ts';
import { WORLD } from '../testkit/random-schema.ts';

const COUNT = Number(process.env['FUZZ_SCHEMAS'] ?? (inject('engines').everywhere ? 60 : 20));
const FIRST = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const TOGETHER = 10;

onEachEngine('random schemas', {}, (db) => {
  beforeAll(() => db().script(WORLD));

  test(`from seed ${FIRST} on are loaded, described and read as the catalogue has them`, {
    timeout: 600_000,
  }, async () => {
    let statements = 0;
    let failed = 0;
    for (let seed = FIRST; seed < FIRST + COUNT; seed += TOGETHER) {
      const seeds = Array.from({ length: TOGETHER }, (_, i) => seed + i);
      const proof = await proveSchemas(db(), seeds, 'postgres');
      expect(proof.findings).toEqual([]);
      statements += proof.statements;
      failed += proof.failed;
    }
    // Statements that fail prove nothing.
    expect(failed / statements).toBeLessThan(0.15);
  });
});
