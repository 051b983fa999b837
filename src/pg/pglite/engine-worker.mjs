// The worker thread of the embedded engine: bytes of the PostgreSQL protocol in, bytes out, as a server's socket would.
// Plain JavaScript: Node starts a worker from a file it can read itself, in the built program as under the test runner.
//
// PGlite's own way in (`execProtocolRaw`) wants all input at once, goes on after the engine has crashed and loses a piece of
// the stack with every SQL error. So the loop is here, over the same functions of the same, exactly pinned, release.

import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { raiseWhatIsThrown } from './foreign-exception.mjs';
import { postgisIn } from './postgis-files.mjs';

const { dataDir, template, postgis, settings, shared } = workerData;

// Shared with the main thread: how many messages it has sent us, and how many bytes of ours it has taken.
const SENT = 0;
const TAKEN = 1;
const words = new Int32Array(shared);

const OUTPUT_CHUNK = 64 * 1024;
const OUTPUT_WINDOW = 1024 * 1024; // a slow reader of COPY … TO STDOUT makes the engine wait from here on
const SQL_ERROR = 100; // the exit status by which the engine says: this was a longjmp, not a crash
const QUERY = 0x51; // Q
const SYNC = 0x53; // S
const READY = 0x5a; // Z
const READY_LENGTH = 6;
const NOTHING = new Uint8Array(0);

let pg;
try {
  pg = await start();
} catch (error) {
  parentPort.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
const engine = pg.Module;
const owner = engine._GetUserId();

let input = NOTHING;
let inputAt = 0;
let consumed = 0; // bytes of input used up and not yet reported
const staged = new Uint8Array(OUTPUT_CHUNK);
let stagedLength = 0;
let posted = 0; // bytes of output, modulo 2^32 as TAKEN is
let isReady = true; // the last thing said was ReadyForQuery
let dropReady = false;
let isMuted = false;

engine._pgl_set_rw_cbs(engine.addFunction(read, 'iii'), engine.addFunction(write, 'iii'));
parentPort.on('message', onMessage);
parentPort.postMessage({ kind: 'started' });

async function start() {
  const options = {
    extensions: {
      postgis: postgisIn(postgis),
      survest: { name: 'survest', setup: async (_pg, given) => amend(given) },
    },
    // Instead of PGlite's own: with fsync, without search_path=public, without leave to change system tables.
    startParams: ['--single', '-j', ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
  };
  if (dataDir !== null) options.dataDir = dataDir;
  if (template !== null) options.loadDataDir = new Blob([readFileSync(template)], { type: 'application/x-gzip' });
  return PGlite.create(options);
}

function amend(emscriptenOpts) {
  const preRun = [...(emscriptenOpts.preRun ?? []), ({ FS }) => makeFsyncReal(FS.filesystems.NODEFS)];
  const instantiateWasm = (imports, done) => {
    raiseWhatIsThrown(imports, () => engine);
    return emscriptenOpts.instantiateWasm(imports, done);
  };
  return { emscriptenOpts: { ...emscriptenOpts, preRun, instantiateWasm } };
}

/** Emscripten's files on disk have no fsync of their own: it would do nothing and report success. */
function makeFsyncReal(nodefs) {
  nodefs.stream_ops.fsync = (stream) => {
    if (stream.nfd !== undefined) {
      fsyncSync(stream.nfd);
      return 0;
    }
    const folder = openSync(nodefs.realPath(stream.node), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    return 0;
  };
}

async function onMessage(message) {
  if (message === 'close') {
    await pg.close();
    parentPort.postMessage({ kind: 'closed' });
    parentPort.close();
    return;
  }
  try {
    serve(message);
  } catch (error) {
    // The engine has crashed or exited: nothing in its memory can be relied on any more. What it wrote is on disk.
    post();
    const said = error instanceof Error ? error.message : String(error);
    parentPort.postMessage({ kind: 'died', message: `the embedded database stopped: ${said}` });
    process.exit(1);
  }
}

/** Runs the engine until it has used up this chunk, and whatever more it asks for in the midst of a message or a COPY. */
function serve(chunk) {
  isReady = false;
  run(chunk);
  if (isReady && engine._IsTransactionBlock() === 0 && engine._GetUserId() !== owner) becomeOwnerAgain();
  post();
}

function run(chunk) {
  input = chunk;
  inputAt = 0;
  while (inputAt < input.length || engine._pq_buffer_remaining_data() > 0) step();
  consumed += input.length;
  input = NOTHING;
  inputAt = 0;
  engine._PostgresSendReadyForQueryIfNecessary();
  engine._pgl_pq_flush();
}

/** One message. An SQL error comes out as an exception, leaving the stack pointer where it was thrown. */
function step() {
  // Of the bytes handed over, the last ones are still unread; what the engine had before them is used up.
  const type = input[inputAt - engine._pq_buffer_remaining_data()];
  const top = engine.___stack_pointer.value;
  try {
    engine._PostgresMainLoopOnce();
    return;
  } catch (error) {
    if (engine._pgl_setPGliteExitStatus(-2) !== SQL_ERROR) throw error;
  }
  engine.___stack_pointer.value = top;
  engine._PostgresMainLongJmp();
  // After an error inside a batch the engine says ReadyForQuery twice: at once, and at the Sync, where it belongs.
  dropReady = type !== SYNC && type !== QUERY;
}

/**
 * A role taken with SET ROLE and not SET LOCAL would be there for the next user of this only session. (A server has the
 * same trap, but a pool of connections in front of it, none of which belongs to a superuser.)
 */
function becomeOwnerAgain() {
  const consumedBefore = consumed;
  isMuted = true;
  run(query('set session authorization postgres; reset role')); // a reset leads nowhere: nobody has logged in here
  isMuted = false;
  consumed = consumedBefore;
}

function query(sql) {
  const text = Buffer.from(`${sql}\0`);
  const header = Buffer.alloc(5);
  header[0] = QUERY;
  header.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([header, text]);
}

/** The engine wants input: at most `max` bytes to `pointer`. Waits for more when there is none. */
function read(pointer, max) {
  if (inputAt === input.length) {
    const message = waitForMessage();
    if (message === 'close') return 0; // the end of the connection, in the midst of something
    input = message;
    inputAt = 0;
  }
  const length = Math.min(max, input.length - inputAt);
  engine.HEAPU8.set(input.subarray(inputAt, inputAt + length), pointer);
  inputAt += length;
  return length;
}

function waitForMessage() {
  consumed += input.length;
  input = NOTHING;
  inputAt = 0;
  post();
  for (;;) {
    const seen = Atomics.load(words, SENT);
    const received = receiveMessageOnPort(parentPort);
    if (received !== undefined) return received.message;
    Atomics.wait(words, SENT, seen);
  }
}

/** The engine has output: `length` bytes at `pointer`. */
function write(pointer, length) {
  const bytes = engine.HEAPU8.subarray(pointer, pointer + length);
  let end = length;
  isReady = endsReady(bytes);
  if (isReady && dropReady) {
    dropReady = false;
    isReady = false;
    end -= READY_LENGTH;
  }
  if (!isMuted) for (let from = 0; from < end; ) from += stage(bytes.subarray(from, end));
  return length;
}

/** ReadyForQuery is flushed as soon as it is written, so it can only be the last message. */
function endsReady(bytes) {
  const at = bytes.length - READY_LENGTH;
  return at >= 0 && bytes[at] === READY && bytes[at + 1] + bytes[at + 2] + bytes[at + 3] === 0 && bytes[at + 4] === 5;
}

function stage(bytes) {
  const length = Math.min(bytes.length, OUTPUT_CHUNK - stagedLength);
  staged.set(bytes.length === length ? bytes : bytes.subarray(0, length), stagedLength);
  stagedLength += length;
  if (stagedLength === OUTPUT_CHUNK) {
    post();
    waitForReader();
  }
  return length;
}

function post() {
  if (stagedLength === 0 && consumed === 0) return;
  const bytes = staged.slice(0, stagedLength);
  parentPort.postMessage({ kind: 'output', bytes, consumed, isReady }, [bytes.buffer]);
  posted = (posted + stagedLength) | 0;
  stagedLength = 0;
  consumed = 0;
}

function waitForReader() {
  for (;;) {
    const taken = Atomics.load(words, TAKEN);
    if (((posted - taken) | 0) <= OUTPUT_WINDOW) return;
    Atomics.wait(words, TAKEN, taken);
  }
}
