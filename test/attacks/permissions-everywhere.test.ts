// One permission model on every surface: random grants and memberships against a brute-force model. A million decisions are
// `npm run bench permissions`; `npm run test:all` takes three rounds.

import { expect, inject, test } from 'vitest';
import { onLayers } from '../feature/mapserver/layer-kit.ts';
import { makeProver, seeded } from './prove-permissions.ts';

const ROUNDS = inject('engines').everywhere ? 3 : 1;
const SEED = Number(process.env['MATRIX_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

onLayers('permissions on every surface', {}, (kit) => {
  test(`agree with the model directly after every change (MATRIX_SEED=${SEED} repeats it)`, async () => {
    const prover = await makeProver(kit());
    const random = seeded(SEED);
    try {
      let decisions = 0;
      for (let n = 0; n < ROUNDS; n++) {
        const proof = await prover.round(random);
        expect(proof.disagreements).toEqual([]);
        decisions += proof.decisions;
      }
      expect(decisions).toBeGreaterThan(700 * ROUNDS);
    } finally {
      await prover.close();
    }
  }, 180_000);
});
