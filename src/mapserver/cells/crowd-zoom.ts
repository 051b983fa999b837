// The zoom from which on the features of a layer stand apart, for symbol sizes by density. Where callers see different rows, how many there
// are is told to nobody.

import { crowdZoom } from '../../geo/style/zoom-sizes.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';

export function crowdOf({ cacheable, estimatedRows, extent }: VectorLayer): number | undefined {
  return cacheable && extent !== undefined ? crowdZoom(estimatedRows, extent.wgs84) : undefined;
}
