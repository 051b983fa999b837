// The API without sign-in and without files: whoever `identify` says asks, over the database that is given.

import Fastify, { type FastifyInstance } from 'fastify';
import type { Caller } from '../../../src/auth/caller.ts';
import type { CallerDb } from '../../../src/auth/caller-db.ts';
import { NORMAL } from '../../../src/http/service-mode.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { ok } from '../../../src/kernel/result.ts';
import { registerApi } from '../../../src/portal/api/register-api.ts';
import { registerErrors } from '../../../src/portal/errors/register-errors.ts';
import type { RecordCache } from '../../../src/portal/operations/record-cache.ts';

export async function makeApiAlone(db: CallerDb, identify: () => Caller, kept: RecordCache): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  const context = {
    db,
    identify: async () => ok(identify()),
    answerError: registerErrors(app, () => {}),
    baseUrl: () => 'http://x',
    addressOf: () => '127.0.0.1',
    mode: () => NORMAL,
    kept,
    presets: new Map(),
    clock: systemClock,
    observe: () => {},
  };
  await registerApi(app, context, {
    blobs: { put: nothing, open: nothing, remove: nothing, list: nothing },
    enableBulkUpdate: true,
    enablePatchAll: false,
    maxDocumentBytes: 1,
    version: 'test',
  });
  return app;
}

function nothing(): never {
  throw new Error('nothing is stored here');
}
