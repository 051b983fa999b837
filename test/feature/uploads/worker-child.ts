// A worker of imports on a server, in a process of its own, which kills itself. Told by SURVEST_TEST_WORKER, as JSON.

import { makePostgresDriver } from '../../../src/pg/postgres/postgres-driver.ts';
import { runKilledWorker, type WorkerOrder } from './killed-worker.ts';

const order: WorkerOrder & { readonly uri: string } = JSON.parse(process.env['SURVEST_TEST_WORKER'] ?? '{}');
const driver = makePostgresDriver({ uri: order.uri, poolSize: 6 });
await runKilledWorker(driver, order, { isAlone: false, maxAttempts: 3 });
