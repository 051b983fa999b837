// A published layer as the map services see it. Who may see it is not in here: a layer is only ever found for a caller.

/** xmin, ymin, xmax, ymax. */
export type Bbox = readonly [number, number, number, number];

export type LayerColumn = {
  readonly name: string;
  /** As format_type prints it. */
  readonly type: string;
  /** What people call it. */
  readonly label: string | null;
};

export type GeometryKind = 'point' | 'line' | 'polygon' | 'mixed';

type Published = {
  /** The resource's id. */
  readonly id: number;
  /** Name in addresses; unique among layers. */
  readonly name: string;
  readonly title: string;
  readonly abstract: string;
  readonly srid: number;
  readonly extent: { readonly native: Bbox; readonly wgs84: Bbox } | undefined;
  /** Changes whenever the data, the style or the schema of the layer does: caches are keyed by it. */
  readonly version: string;
  readonly defaultStyle: number | undefined;
};

export type VectorLayer = Published & {
  readonly kind: 'vector';
  /** In the schema `layers`. */
  readonly table: string;
  readonly primaryKey: string;
  readonly geometry: { readonly column: string; readonly kind: GeometryKind };
  /** Without the geometry; in table order. */
  readonly columns: readonly LayerColumn[];
  /** Column that says when a feature is, for time-enabled layers. */
  readonly timeColumn: string | undefined;
  /** The table has row rules besides ours: callers may see different rows of it. */
  readonly ownRowRules: boolean;
};

export type RasterLayer = Published & {
  readonly kind: 'raster';
  /** Key of the cloud-optimised GeoTIFF in the blob store. */
  readonly blob: string;
  readonly size: readonly [width: number, height: number];
  readonly bands: readonly { readonly type: string; readonly nodata: number | null }[];
};

export type Layer = VectorLayer | RasterLayer;
