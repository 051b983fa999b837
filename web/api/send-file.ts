// Sends a file so that a cut costs nothing: the portal keeps what has come (the tus protocol), and the rest is sent when it can be reached again, by this
// page or by another one on another day. What was begun is known by name, size and the time of the last change.

import { err, ok, type Result } from '../lib/result.ts';
import { csrfHeader, get, STRICT } from './client.ts';
import { type Failure, failureOf } from './failure.ts';

const FILES = '/api/v2/uploads/files/';
const LONGEST_WAIT_MS = 30_000;

export type SendingFile = {
  /** How much of it the portal has. */
  readonly onSent: (bytes: number) => void;
  /** The portal cannot be reached: it is tried again. */
  readonly onWaiting: (isWaiting: boolean) => void;
  readonly signal: AbortSignal;
};

type Reply = { readonly status: number; readonly body: string; header(name: string): string | null };

/** The portal's id of the file, once it has all of it. */
export async function sendFile(file: File, sending: SendingFile): Promise<Result<string, Failure>> {
  const { onSent, onWaiting, signal } = sending;
  let address: string | undefined;
  let offset: number | undefined;
  let waits = 0;
  while (!signal.aborted) {
    const reply = await step();
    if (isDone(reply)) {
      if (address !== undefined && offset === file.size) return ok(address.split('/').at(-1) ?? '');
    } else if (reply.status === 404 && address !== undefined) {
      // Too long ago.
      address = undefined;
      offset = undefined;
    } else if (mayPass(reply.status)) {
      offset = undefined;
      onWaiting(true);
      await pause(Math.min(LONGEST_WAIT_MS, 500 * 2 ** waits), signal);
      waits += 1;
    } else return err(failureOf(reply.status, asJson(reply.body)));
  }
  return err({ kind: 'offline' });

  function arrived(bytes: number): void {
    waits = 0;
    onWaiting(false);
    onSent(bytes);
  }

  /** What is to be done next: find or begin it, ask how far it is, send the rest. */
  async function step(): Promise<Reply> {
    if (address === undefined) {
      const known = await begun(file, signal);
      if (known !== undefined) {
        address = FILES + known;
        return ask('HEAD');
      }
      const metadata = `filename ${base64(file.name)},mark ${base64(markOf(file))}`;
      const made = await tus(
        'POST',
        FILES,
        { 'Upload-Length': String(file.size), 'Upload-Metadata': metadata },
        sending,
      );
      address = made.header('Location')?.replace(/^https?:\/\/[^/]+/, '');
      if (address !== undefined) offset = 0;
      return made;
    }
    if (offset === undefined) return ask('HEAD');
    const start = offset;
    const headers = { 'Upload-Offset': String(start), 'Content-Type': 'application/offset+octet-stream' };
    const sent = await tus('PATCH', address, headers, { signal, onSent: (n) => arrived(start + n) }, file.slice(start));
    const end = Number(sent.header('Upload-Offset') ?? Number.NaN);
    offset = isDone(sent) && Number.isFinite(end) ? end : undefined;
    if (offset !== undefined) arrived(offset);
    return sent;
  }

  async function ask(method: 'HEAD'): Promise<Reply> {
    const told = await tus(method, address ?? '', {}, sending);
    if (isDone(told)) {
      offset = Number(told.header('Upload-Offset') ?? 0);
      onSent(offset);
    }
    return told;
  }
}

/** Its id. */
async function begun(file: File, signal: AbortSignal): Promise<string | undefined> {
  const known = await get(FILES, signal).catch(() => undefined);
  if (known?.ok !== true) return undefined;
  return known.value.files.find(
    ({ name, size, mark }) => name === file.name && size === file.size && mark === markOf(file),
  )?.id;
}

const markOf = (file: File): string => String(file.lastModified);

const isDone = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** Nobody answered, a proxy did, or another request was quicker. */
const mayPass = (status: number): boolean =>
  status === 0 || status === 409 || status === 429 || status === 502 || status === 503 || status === 504;

/** `fetch` tells nothing of what it sends. */
function tus(
  method: string,
  address: string,
  headers: Readonly<Record<string, string>>,
  { signal, onSent }: { readonly signal: AbortSignal; readonly onSent?: (bytes: number) => void },
  body: Blob | null = null,
): Promise<Reply> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const done = (status: number): void =>
      resolve({ status, body: request.responseText, header: (name) => request.getResponseHeader(name) });
    request.open(method, address);
    const all = {
      'Tus-Resumable': '1.0.0',
      'X-Requested-With': 'XMLHttpRequest',
      ...STRICT,
      ...csrfHeader(),
      ...headers,
    };
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    if (onSent !== undefined && body !== null) request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => done(request.status);
    request.onerror = () => done(0);
    request.onabort = () => done(0);
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

/** Or until the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    }
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
