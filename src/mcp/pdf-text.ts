// The text of a PDF: read by PDF.js in a thread with bounded time and memory, one file at a time.

import { Worker } from 'node:worker_threads';
import { makeSemaphore } from '../kernel/semaphore.ts';

export type PdfText = { readonly text: string; readonly pages: number; readonly ofPages: number };

const MAX_MS = 10_000;
const MAX_MEMORY_MB = 256;
const turns = makeSemaphore({ room: 1, maxWaiting: 20, waitMs: 30_000 });

/** Undefined: no text could be read of it in the time and memory that one file has. */
export async function pdfText(file: Uint8Array, maxCharacters: number): Promise<PdfText | undefined> {
  const read = await turns.run({}, () => readInThread(file, maxCharacters));
  return read.ok ? read.value : undefined;
}

function readInThread(file: Uint8Array, maxCharacters: number): Promise<PdfText | undefined> {
  // The thread gets a copy with a buffer of its own, which PDF.js takes apart.
  const bytes = new Uint8Array(file);
  const thread = new Worker(new URL('./pdf-text-thread.mjs', import.meta.url), {
    workerData: { bytes, maxCharacters },
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    stdout: true,
    stderr: true,
  });
  return new Promise((resolve) => {
    const end = (text: PdfText | undefined): void => {
      clearTimeout(timer);
      resolve(text);
      void thread.terminate();
    };
    const timer = setTimeout(() => end(undefined), MAX_MS);
    thread.once('message', end);
    thread.once('error', () => end(undefined));
    thread.once('exit', () => end(undefined));
  });
}
