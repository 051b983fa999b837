// A thread that draws: orders → pictures. Whatever needs a canvas, and the decoding of rasters, happens here; rows and files come from
// the main thread. Orders that are under way at the same time share the thread in slices, so a small one does not wait for a large one.

import { parentPort } from 'node:worker_threads';
import { VISITOR } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, ok } from '../../kernel/result.ts';
import type { BatchResult } from '../../pg/driver.ts';
import type { ReadFile } from '../raster/blob-source.ts';
import { makeRasterReader } from '../raster/make-raster-reader.ts';
import { type CompiledStyle, compileStyle } from '../render/compile-style.ts';
import { makeCrsRegistry } from '../render/crs-registry.ts';
import { encodeImage } from '../render/encode-image.ts';
import { type MapLayer, type RenderParts, renderMap } from '../render/render-map.ts';
import { unpackRows } from './packed-rows.ts';
import type { FileAnswer, FromThread, OrderedLayer, Question, RowsAnswer, ToThread } from './picture-messages.ts';

const port = parentPort;
if (port === null) throw new Error('this is run as a thread');
const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const waiting = new Map<number, (answer: RowsAnswer | FileAnswer) => void>();
let questions = 0;

function ask<T extends RowsAnswer | FileAnswer>(question: Question): Promise<T> {
  return new Promise((resolve) => {
    const id = questions++;
    waiting.set(id, resolve as (answer: RowsAnswer | FileAnswer) => void);
    send({ kind: 'ask', id, question });
  });
}

async function askForRows(question: Question): Promise<BatchResult> {
  const answer = await ask<RowsAnswer>(question);
  return answer.ok ? ok(answer.value.map((rows) => ({ rows: unpackRows(rows), tag: '' }))) : answer;
}

/** What is kept between the orders of one client: its coordinate systems and its open rasters. */
type Client = Omit<RenderParts, 'db' | 'piece'>;
const clients = new Map<number, Client>();

function clientOf(id: number): Client {
  const known = clients.get(id);
  if (known !== undefined) return known;
  const db: Pick<CallerDb, 'service'> = {
    service: (statements) => askForRows({ kind: 'service', client: id, statements }),
  };
  const readFile: ReadFile = (key, start, end) => ask<FileAnswer>({ kind: 'file', client: id, key, start, end });
  const observe: Observe = (observation) => send({ kind: 'observed', client: id, observation });
  const crs = makeCrsRegistry(db);
  const made: Client = { crs, drawRaster: makeRasterReader(readFile, crs, observe).draw };
  clients.set(id, made);
  return made;
}

const MAX_STYLES = 500;
const styles = new Map<string, CompiledStyle>();

function compiled({ layer, style, filter, isSolid = false }: OrderedLayer): MapLayer {
  const text = JSON.stringify(style);
  const known = styles.get(text) ?? compileStyle(style);
  if (styles.size >= MAX_STYLES) styles.delete(styles.keys().next().value ?? '');
  styles.set(text, known);
  return { layer, style: isSolid ? solid(known) : known, filter };
}

function solid(style: CompiledStyle): CompiledStyle {
  return {
    ...style,
    layers: style.layers.map((layer) => (layer.type === 'raster' ? { ...layer, opacity: () => 1 } : layer)),
  };
}

async function draw({ id, client, piece, order }: Extract<ToThread, { kind: 'draw' }>): Promise<void> {
  const db: RenderParts['db'] = {
    // Who asks is known on the other side, by the order.
    read: (_caller, _info, statements) => askForRows({ kind: 'read', order: id, statements }),
  };
  const canvas = await renderMap(
    { db, piece, ...clientOf(client) },
    { ...order, caller: VISITOR, info: { method: '', path: '' }, layers: order.layers.map(compiled) },
  );
  if (!canvas.ok) return send({ kind: 'drawn', id, picture: err(canvas.error) });
  const encoded = await encodeImage(canvas.value, order.format);
  // Its own memory, handed over without a copy.
  const picture = new Uint8Array(encoded);
  send({ kind: 'drawn', id, picture: ok(picture) }, [picture.buffer]);
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'draw') {
    draw(message).catch((error: unknown) => send({ kind: 'failed', id: message.id, error }));
    return;
  }
  waiting.get(message.question)?.(message.answer);
  waiting.delete(message.question);
});
