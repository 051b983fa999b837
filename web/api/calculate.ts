// A column calculated, or given another type: tried, and done.

import type { Result } from '../lib/result.ts';
import { send } from './client.ts';
import type { Failure } from './failure.ts';

export type Sample = {
  readonly key?: unknown;
  readonly values: Readonly<Record<string, unknown>>;
  readonly before?: unknown;
  readonly after?: unknown;
};

export type Trial = {
  readonly type: string;
  readonly rows: { readonly matching: number; readonly changed: number; readonly unreadable: number };
  readonly changes: readonly Sample[];
  readonly unreadable: readonly Sample[];
};

/** What becomes of values that cannot be read. */
export type Unreadable = 'refuse' | 'empty' | 'keep';

/** What is asked for, whichever way it is asked. */
export type Order = {
  readonly column?: string;
  readonly new_column?: { readonly name: string; readonly type?: string };
  readonly expression: unknown;
  readonly filter?: unknown;
};

export type Done = { readonly changed: number; readonly kept: number };

export function tryCalculation(layer: string, order: Order, signal: AbortSignal): Promise<Result<Trial, Failure>> {
  return send('POST', `/api/v2/layers/${layer}/calculate/preview/`, { body: order, signal });
}

export async function calculate(layer: string, order: Order, unreadable: Unreadable): Promise<Result<Done, Failure>> {
  const reply = await send('POST', `/api/v2/layers/${layer}/calculate/`, { body: { ...order, unreadable } });
  return reply.ok ? { ok: true, value: { changed: reply.value.rows.changed, kept: reply.value.kept } } : reply;
}

export function tryType(
  layer: string,
  column: string,
  type: string,
  signal: AbortSignal,
): Promise<Result<Trial, Failure>> {
  const path = `/api/v2/layers/${layer}/columns/${encodeURIComponent(column)}/type/preview/` as const;
  return send('POST', path, { body: { type }, signal });
}

export async function changeType(
  layer: string,
  column: string,
  type: string,
  unreadable: Unreadable,
): Promise<Result<Done, Failure>> {
  const path = `/api/v2/layers/${layer}/columns/${encodeURIComponent(column)}/type/` as const;
  const reply = await send('POST', path, { body: { type, unreadable } });
  return reply.ok ? { ok: true, value: { changed: reply.value.rows, kept: reply.value.kept } } : reply;
}

/** The number of values that came back. */
export async function undoKept(layer: string, kept: number): Promise<Result<number, Failure>> {
  const reply = await send('POST', `/api/v2/layers/${layer}/kept/${kept}/restore/`);
  return reply.ok ? { ok: true, value: reply.value.rows.restored ?? reply.value.rows.after } : reply;
}
