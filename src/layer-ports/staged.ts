// An uploaded layer that has been read and stands in the schema `staging`, complete with key, index and statistics: what the import
// hands over to the catalogue, which publishes it.

/** xmin, ymin, xmax, ymax. */
export type Extent = readonly [number, number, number, number];

export type Statistics = {
  readonly count: number;
  readonly min?: string;
  readonly max?: string;
  readonly average?: string;
  readonly median?: string;
  readonly stddev?: string;
  readonly sum?: string;
  /** Where there are few. */
  readonly values?: readonly string[];
};

export type StagedColumn = {
  readonly name: string;
  /** What the file calls it. */
  readonly label: string;
  /** As PostgreSQL writes it. */
  readonly type: string;
  readonly xsd: string;
  readonly statistics: Statistics;
};

export type Place = {
  readonly srid: number;
  /** `EPSG:25832`; systems without a code of their own have ours. */
  readonly crs: string;
  /** Undefined: there is nothing in it yet. */
  readonly extent: { readonly native: Extent; readonly wgs84: Extent } | undefined;
};

/** A table in `staging`. */
export type StagedTable = {
  readonly kind: 'vector';
  readonly table: string;
  /** What the file calls the layer; empty where it has no name besides the file's. */
  readonly title: string;
  readonly key: string;
  readonly geometry: {
    readonly column: string;
    readonly type: { readonly kind: string; readonly suffix: string };
    readonly xsd: string;
  };
  readonly columns: readonly StagedColumn[];
  readonly rows: number;
  readonly place: Place;
};

/** A table in `staging` without places. */
export type StagedPlainTable = Omit<StagedTable, 'kind' | 'geometry' | 'place'> & { readonly kind: 'table' };

/** A cloud-optimised GeoTIFF on the disk. */
export type StagedRaster = {
  readonly kind: 'raster';
  /** In the work folder, until that is removed. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bands: readonly { readonly type: string; readonly nodata: number | null; readonly color: string }[];
  readonly place: Place;
};

export type StagedLayer = StagedTable | StagedPlainTable | StagedRaster;

export type Staged = {
  /** As people call it. */
  readonly format: string;
  /** Name of the file the data were in. */
  readonly file: string;
  readonly charset: string;
  readonly layers: readonly StagedLayer[];
  readonly warnings: readonly string[];
  /** Texts that were sent along. */
  readonly style: string | undefined;
  readonly metadata: string | undefined;
};
