// The worker thread of an engine of an earlier major release, for reading what it wrote: bytes of the PostgreSQL protocol in, bytes out. Over
// PGlite's public functions alone, for its inner ones are others in every release; what they lack (input in the midst of a message, a way
// on after a crash) a reader does not need.

import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

const { dataDir, postgis: bundle, entry } = workerData;
const READY = 0x5a; // Z
const READY_LENGTH = 6;

let pg;
try {
  const { PGlite } = await import(entry);
  const postgis = {
    name: 'postgis',
    setup: async (_, emscriptenOpts) => ({ emscriptenOpts, bundlePath: pathToFileURL(bundle) }),
  };
  pg = await PGlite.create({ dataDir, extensions: { postgis } });
} catch (error) {
  parentPort.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
/** One after the other: the next may come while the disk is written to. */
let turn = Promise.resolve();
parentPort.on('message', (message) => {
  turn = turn.then(() => answer(message));
});
parentPort.postMessage({ kind: 'started' });

async function answer(message) {
  if (message === 'close') {
    await pg.close();
    parentPort.postMessage({ kind: 'closed' });
    parentPort.close();
    return;
  }
  try {
    let last = new Uint8Array(0);
    await pg.execProtocolRawStream(message, {
      onRawData: (bytes) => {
        if (last.length > 0) post(last, 0, false);
        last = bytes.slice();
      },
    });
    post(last, message.length, endsReady(last));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    parentPort.postMessage({ kind: 'died', message: `the embedded database stopped: ${said}` });
    process.exit(1);
  }
}

function post(bytes, consumed, isReady) {
  parentPort.postMessage({ kind: 'output', bytes, consumed, isReady }, [bytes.buffer]);
}

function endsReady(bytes) {
  const at = bytes.length - READY_LENGTH;
  return at >= 0 && bytes[at] === READY && bytes[at + 1] + bytes[at + 2] + bytes[at + 3] === 0 && bytes[at + 4] === 5;
}
