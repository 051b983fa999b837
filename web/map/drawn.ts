// What a map shows above its background, from bottom to top. Data alone; MapView makes it visible.

import type { GeoJSON } from 'geojson';
import type { Extent } from '../lib/catalogue-state.ts';
import type { TileOverview } from '../lib/detail.ts';

/** A layer of a MapLibre style without its source. */
export type StyleLayer = {
  readonly id: string;
  readonly type: string;
  readonly filter?: unknown;
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly paint?: Readonly<Record<string, unknown>>;
  readonly layout?: Readonly<Record<string, unknown>>;
  /** What MapLibre does not know: how a raster's numbers become colours, above all. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/** Which features are shown, said twice: both mean the same. */
export type FeatureFilter = {
  /** In MapLibre's expressions, for features that the map has; undefined: the server alone understands it. */
  readonly map: unknown;
  /** In CQL2, for the server where features stand for others; undefined: it cannot be asked. */
  readonly cql: unknown;
};

export type Look = 'extents' | 'chosen' | 'measure' | 'box' | 'pins' | 'edited' | 'annotations' | 'external';

export type Drawn =
  | {
      readonly kind: 'vector';
      readonly id: string;
      /** Address of tiles with {z}, {x}, {y}. */
      readonly tiles: string;
      /** Of tiles with the places of names, where these are not on the features themselves. */
      readonly labelTiles?: string | undefined;
      readonly sourceLayer: string;
      readonly minzoom: number;
      readonly maxzoom: number;
      readonly bounds: Extent | undefined;
      readonly layers: readonly StyleLayer[];
      readonly opacity: number;
      readonly visible: boolean;
      /** What people call it. */
      readonly title?: string | undefined;
      /** Some of its tiles have features that stand for others: which of these pass, the server alone knows. */
      readonly overview?: TileOverview | undefined;
      /** Columns that such tiles have only where they are asked for. */
      readonly leftOut?: readonly string[];
      /** They were not prepared when the map first asked for tiles: those are not to be shown any more. */
      readonly isPrepared?: boolean;
      /** Shows only features that pass. */
      readonly filter?: FeatureFilter | undefined;
    }
  | {
      readonly kind: 'picture';
      readonly id: string;
      readonly tiles: string;
      readonly bounds: Extent | undefined;
      readonly opacity: number;
      readonly visible: boolean;
      /** Plain text. */
      readonly attribution?: string;
      readonly maxzoom?: number;
    }
  | {
      /** One picture of a place. */
      readonly kind: 'image';
      readonly id: string;
      readonly url: string;
      readonly bounds: Extent;
      readonly opacity: number;
      readonly visible: boolean;
    }
  | {
      readonly kind: 'shapes';
      readonly id: string;
      readonly data: GeoJSON;
      readonly look: Look;
      readonly opacity?: number;
      readonly attribution?: string;
    };
