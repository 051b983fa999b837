// What is learned of a request on its way and belongs into the log: who asked, and why it failed. Kept beside the request, for
// as long as there is one, because the log is written when the answer is out and no route has anything to do with it.

import type { IncomingMessage } from 'node:http';

export type RequestNotes = {
  /** Who asked, once that is known. */
  account?: { readonly id: number; readonly name: string };
  role?: string;
  /** Why the answer is a failure of ours; never told to the client. */
  cause?: string;
};

const notes = new WeakMap<IncomingMessage, RequestNotes>();

export function notesOf(request: IncomingMessage): RequestNotes {
  const known = notes.get(request) ?? {};
  notes.set(request, known);
  return known;
}

/** The first cause stays: what follows from it says less. */
export function noteCause(request: IncomingMessage, cause: unknown): void {
  notesOf(request).cause ??= causeText(cause);
}

/** Errors of the database are values with a kind, and mostly a message. */
function causeText(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return String(cause);
  const { message, kind, sqlstate } = cause as Partial<Record<'message' | 'kind' | 'sqlstate', unknown>>;
  const said = typeof message === 'string' ? message : String(kind ?? cause);
  return typeof sqlstate === 'string' ? `${said} (SQLSTATE ${sqlstate})` : said;
}
