// `maplayers` of a body → rows of a map's layers. Pure.

import { isMembers } from '../../operations/write/body-forms.ts';

/** One row; `pk`: that of a row which is there. */
type Maplayer = {
  readonly pk: number | null;
  readonly n: number;
  readonly name: string | null;
  readonly opacity: number;
  readonly styles: string | null;
  readonly visibility: boolean;
  readonly viewer_id: string | null;
};

const MAX_LAYERS = 1000;

/** A complaint, or the rows. */
export function parseMaplayers(value: unknown): readonly Maplayer[] | string {
  if (!Array.isArray(value)) return 'The layers of a map are a list.';
  if (value.length > MAX_LAYERS) return `A map has ${MAX_LAYERS} layers at most.`;
  const rows: Maplayer[] = [];
  for (const [at, item] of value.entries()) {
    if (!isMembers(item)) return 'Every layer of a map is an object.';
    const {
      pk = null,
      name = null,
      order = at,
      opacity = 1,
      current_style = null,
      visibility = true,
      extra_params,
    } = item;
    const viewerId = (isMembers(extra_params) ? extra_params['msId'] : null) ?? null;
    if (pk !== null && !isWhole(pk)) return 'The pk of a layer is a whole number.';
    if (order !== null && !isWhole(order)) return 'The order of a layer is a whole number.';
    if (opacity !== null && !(typeof opacity === 'number' && opacity >= 0 && opacity <= 1))
      return 'The opacity of a layer is between 0 and 1.';
    if (typeof visibility !== 'boolean') return 'The visibility of a layer is true or false.';
    if (!isText(name) || !isText(current_style) || !isText(viewerId))
      return 'The name of a layer, its style and its msId are texts of 255 characters at most.';
    rows.push({
      pk,
      n: order ?? at,
      name,
      opacity: opacity ?? 1,
      styles: current_style,
      visibility,
      viewer_id: viewerId,
    });
  }
  return rows;
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2_147_483_647;
}

function isText(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= 255 && !value.includes('\0'));
}
