// The history of a layer's rows: who changed which one when.

import { isEither, isListOf, isNumber, isObject, isOneOf, isRecordOf, isText } from '../lib/guard.ts';
import { getFor } from './client.ts';
import type { Layer } from './types.ts';

type Values = Readonly<Record<string, unknown>>;

export type Edit = {
  readonly id: number;
  readonly at: string;
  readonly by: string | null;
  readonly kind: 'insert' | 'update' | 'delete' | 'bulk';
  readonly feature: string | null;
  readonly old: Values | null;
  readonly new: Values | null;
  readonly geometry: boolean;
  readonly bulk: string | null;
  readonly rows: number | null;
};

const isNothing = isOneOf(null);
const isEdit = isRecordOf<Edit>({
  id: isNumber,
  at: isText,
  by: isEither(isText, isNothing),
  kind: isOneOf('insert', 'update', 'delete', 'bulk'),
  feature: isEither(isText, isNothing),
  old: isEither(isObject, isNothing),
  new: isEither(isObject, isNothing),
  geometry: (value): value is boolean => typeof value === 'boolean',
  bulk: isEither(isText, isNothing),
  rows: isEither(isNumber, isNothing),
});

export const isHistory = isRecordOf<{ readonly edits: readonly Edit[] }>({ edits: isListOf(isEdit) });

/** The map services do not know tables without places. */
export function historyPath({ pk, name, subtype }: Pick<Layer, 'pk' | 'name' | 'subtype'>): string {
  return subtype === 'tabular'
    ? `/api/v2/layers/${pk}/history`
    : `/ogc/collections/${encodeURIComponent(name)}/history`;
}

/** Undefined: there is none, or the caller is not told. */
export async function lastEdit(
  layer: Pick<Layer, 'pk' | 'name' | 'subtype'>,
  row: string | number,
  signal: AbortSignal,
): Promise<Edit | undefined> {
  const query = new URLSearchParams({ limit: '1', feature: String(row) });
  const reply = await getFor(isHistory, `${historyPath(layer)}?${query}`, signal);
  return reply.ok ? reply.value.edits[0] : undefined;
}
