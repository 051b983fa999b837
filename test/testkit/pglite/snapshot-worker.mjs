// The thread of an embedded engine as the program has it, and beside it a channel on which snapshots of the engine are asked for.

import { BroadcastChannel, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { makeSnapshots } from './snapshots.mjs';

let instances = 0;
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...args) {
    super(...args);
    instances += 1;
  }
};

const create = PGlite.create.bind(PGlite);
PGlite.create = async (options) => {
  const pg = await create(options);
  const snapshots = makeSnapshots(pg.Module, () => instances);
  const channel = new BroadcastChannel(workerData.channel);
  channel.unref();
  channel.onmessage = ({ data: { kind, name } }) => {
    if (kind === 'done') return;
    try {
      channel.postMessage({ kind: 'done', isDone: snapshots[kind](name) });
    } catch (error) {
      channel.postMessage({ kind: 'done', isDone: false, said: String(error) });
    }
  };
  return pg;
};

await import('../../../src/pg/pglite/engine-worker.mjs');
