// Pages of documents that name the layers a caller sees: `limit` and `offset`, and the links between pages.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { MapFailure } from '../map-context.ts';
import type { Query } from './items-request.ts';
import type { Link } from './ogc-documents.ts';

const DEFAULT_LAYERS = 100;
const MAX_LAYERS = 1000;

export const PAGE_PARAMETERS: readonly string[] = ['f', 'limit', 'offset'];

export type LayerPage = { readonly limit: number; readonly offset: number };

export function readLayerPage(query: Query): Result<LayerPage, MapFailure> {
  const { limit = String(DEFAULT_LAYERS), offset = '0' } = query as Readonly<Record<string, string | undefined>>;
  if (!/^[1-9]\d{0,8}$/.test(limit) || !/^\d{1,9}$/.test(offset))
    return err({ kind: 'bad-request', detail: 'limit and offset are whole numbers.' });
  return ok({ limit: Math.min(Number(limit), MAX_LAYERS), offset: Number(offset) });
}

/** `suffix`: what else the address of a page has, beginning with `&`. */
export function neighbourLinks(
  url: string,
  { limit, offset }: LayerPage,
  total: number,
  type: string,
  suffix = '',
): readonly Link[] {
  const link = (rel: string, start: number, title: string): Link => ({
    href: `${url}?limit=${limit}&offset=${start}${suffix}`,
    rel,
    type,
    title,
  });
  return [
    ...(offset + limit < total ? [link('next', offset + limit, 'Further layers')] : []),
    ...(offset > 0 ? [link('prev', Math.max(0, offset - limit), 'Layers before these')] : []),
  ];
}
