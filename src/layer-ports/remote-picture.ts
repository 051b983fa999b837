// What drawing a layer of somebody else's service asks of the catalogue, which knows how such services are asked. The portal fills it.

import type { GeoGeometry } from '../geo/geojson.ts';
import type { Box } from '../geo/projection.ts';
import type { View } from '../geo/view.ts';

export type RemotePicture = {
  /** Pictures as the service sent them, unpacked by nobody yet, each with where it lies in metres of a web map. */
  readonly pictures: readonly { readonly bytes: Buffer; readonly box: Box }[];
  /** In degrees. */
  readonly shapes: readonly GeoGeometry[];
};

/** `remote`: as the layer's record has it. Undefined: the service does not answer, or not with that. `view` is one of a web map. */
export type DrawRemote = (remote: unknown, view: View) => Promise<RemotePicture | undefined>;
