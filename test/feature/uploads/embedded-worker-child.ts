// The same on the embedded engine, as the program is there: alone. Told by SURVEST_TEST_WORKER, as JSON.

import { openEmbedded } from '../../../src/pg/pglite/open-embedded.ts';
import { runKilledWorker, type WorkerOrder } from './killed-worker.ts';

type EmbeddedOrder = WorkerOrder & { readonly dataDir: string; readonly templatePath: string };

const order: EmbeddedOrder = JSON.parse(process.env['SURVEST_TEST_WORKER'] ?? '{}');
const opened = await openEmbedded({ ...order, acquisitionTimeoutMs: 60_000 });
if (!opened.ok) throw new Error(opened.error.message);
await runKilledWorker(opened.value, order, { isAlone: true, maxAttempts: 9 });
