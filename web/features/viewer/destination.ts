// Where the map is asked to go.

import { extentOf } from '../../lib/bbox.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import type { Camera } from '../../map/MapView.tsx';
import { type AnyLayer, isExternal } from './viewer-state.ts';

export type Destination = { readonly extent: Extent } | { readonly camera: Camera };

export function extentOfLayer(one: AnyLayer): Extent | undefined {
  return isExternal(one) ? one.external.bbox : extentOf(one.layer.ll_bbox_polygon);
}
