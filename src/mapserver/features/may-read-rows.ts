// Who may list the rows of a layer: whoever may download it, or change them. Who may only see it looks at maps, and at what lies at a
// place.

import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import type { Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { LayerError } from '../../layer-ports/layer-access.ts';
import type { MapContext } from '../map-context.ts';

export async function mayReadRows(
  { layers }: MapContext,
  caller: Caller,
  info: RequestInfo,
  { id }: Pick<VectorLayer, 'id'>,
): Promise<Result<boolean, LayerError>> {
  const may = await layers.may(caller, info, id, 'download_resourcebase');
  return !may.ok || may.value ? may : layers.may(caller, info, id, 'change_layer_data');
}

export const NEEDS_DOWNLOAD = 'Reading the rows of this layer needs the permission to download it.';
