// Snapshots of an embedded engine in memory: everything it consists of (its memory, its files, what it has open) → kept under a
// name, and put back in a tenth of a second. Plain JavaScript, because it runs in the engine's thread.
//
// An engine that waits for its next message has nothing on its stack: what it is lies in its memory and in its files. Only
// libraries that were loaded since are more than that; then a snapshot is not put back, and whoever asked takes another engine.

const PAGE = 65_536;

/** `countInstances` tells how many modules were ever started in this thread. */
export function makeSnapshots(engine, countInstances) {
  const { FS } = engine;
  const kept = new Map();
  let first;

  function save(name) {
    const memory = engine.HEAPU8;
    const snapshot = {
      instances: countInstances(),
      pages: first === undefined ? [] : changedPages(first.memory, memory),
      length: memory.length,
      stack: engine.___stack_pointer.value,
      files: readTree(FS, first?.bytesOf),
      streams: FS.streams.map((stream) => (stream ? { stream, shared: { ...stream.shared } } : null)),
    };
    if (first === undefined) {
      const bytesOf = new Map(snapshot.files.filter(({ bytes }) => bytes).map(({ node, bytes }) => [node, bytes]));
      first = { memory: memory.slice(), bytesOf };
    }
    kept.set(name, snapshot);
    return true;
  }

  /** False where there is no such snapshot, or it cannot be put back. */
  function restore(name) {
    const snapshot = kept.get(name);
    if (snapshot === undefined || snapshot.instances !== countInstances()) return false;
    const memory = engine.HEAPU8;
    memory.set(first.memory);
    for (const { at, bytes } of snapshot.pages) memory.set(bytes, at);
    memory.fill(0, snapshot.length);
    engine.___stack_pointer.value = snapshot.stack;
    writeTree(FS, snapshot.files);
    FS.streams.length = 0;
    for (const [fd, open] of snapshot.streams.entries()) {
      FS.streams[fd] = open === null ? null : Object.assign(open.stream, { fd, shared: { ...open.shared } });
    }
    return true;
  }

  function forget(name) {
    return kept.delete(name);
  }

  return { save, restore, forget };
}

/** Pages of `now` that are not as in `base`, and those beyond its end. */
function changedPages(base, now) {
  const pages = [];
  for (let at = 0; at < now.length; at += PAGE) {
    const page = now.subarray(at, at + PAGE);
    const isSame = at < base.length && Buffer.compare(page, base.subarray(at, at + PAGE)) === 0;
    if (!isSame) pages.push({ at, bytes: page.slice() });
  }
  return pages;
}

/** Every file and folder in memory; bytes that are those of the first snapshot are not kept twice. */
function readTree(FS, known = new Map()) {
  const found = [];
  const visit = (node) => {
    const { parent, name, mode, contents, usedBytes, link } = node;
    if (FS.isDir(mode)) {
      if (typeof contents !== 'object' || contents === null) return; // made up by the engine, as /proc is
      found.push({ node, parent, name, mode, entries: { ...contents } });
      for (const child of Object.values(contents)) visit(child);
    } else if (FS.isFile(mode)) {
      // Signed or not: whoever wrote the file gave it what it had.
      const bytes = contents ? new Uint8Array(contents.buffer, contents.byteOffset, usedBytes) : new Uint8Array(0);
      const before = known.get(node);
      const isKnown = before !== undefined && Buffer.compare(before, bytes) === 0;
      found.push({ node, parent, name, mode, bytes: isKnown ? before : bytes.slice() });
    } else found.push({ node, parent, name, mode, link });
  };
  visit(FS.root);
  return found;
}

function writeTree(FS, files) {
  FS.nameTable.fill(undefined);
  for (const { node, parent, name, mode, entries, bytes } of files) {
    Object.assign(node, { parent, name, mode });
    FS.hashAddNode(node);
    if (entries !== undefined) node.contents = { ...entries };
    if (bytes === undefined) continue;
    if (node.contents === null || node.contents === undefined || node.contents.length < bytes.length) {
      node.contents = bytes.slice();
    } else {
      node.contents.set(bytes);
      node.contents.fill(0, bytes.length); // what is written past the end leaves zeros between
    }
    node.usedBytes = bytes.length;
  }
}
