// A published layer as the map services see it. Who may see it is not in here: a layer is only ever found for a caller.

import type { ColumnFormat } from '../geo/presentation/column-format.ts';

/** xmin, ymin, xmax, ymax. */
export type Bbox = readonly [number, number, number, number];

export type LayerColumn = {
  readonly name: string;
  /** As format_type prints it. */
  readonly type: string;
  /** What people call it. */
  readonly label: string | null;
  /** Text about it. */
  readonly description: string | null;
  /** May hold NULL. */
  readonly nullable: boolean;
  /** The database fills it where nothing is given: a default, an identity, a generated column. */
  readonly hasDefault: boolean;
  /** Nobody can write it. */
  readonly generated: boolean;
  /** How it is shown to people; undefined: the catalogue says nothing of it. */
  readonly look?:
    | { readonly visible: boolean; readonly place: number; readonly format: ColumnFormat | undefined }
    | undefined;
  /** What it is called in a file for people; undefined: its name. */
  readonly heading?: string;
};

export type GeometryKind = 'point' | 'line' | 'polygon' | 'mixed';

type Published = {
  /** The resource's id. */
  readonly id: number;
  /** Name in addresses; unique among layers. */
  readonly name: string;
  /** `portal:rivers`: the name with its workspace, as the catalogue and map clients know it. */
  readonly alternate: string;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  readonly attribution: string | null;
  readonly srid: number;
  /** `EPSG:25832`. */
  readonly crs: string;
  readonly extent: { readonly native: Bbox; readonly wgs84: Bbox } | undefined;
  /** Changes whenever the data, the style or the schema of the layer does: caches are keyed by it. */
  readonly version: string;
  /** Changes whenever the data or the schema does: for what has no style in it, such as vector tiles. */
  readonly dataVersion: string;
  /**
   * Every caller who finds the layer sees the same of it, and every change is in its version. False: nothing made of it may be
   * kept for a later request.
   */
  readonly cacheable: boolean;
  readonly defaultStyle: number | undefined;
  readonly styles: readonly number[];
  /** When the record or its data were last changed by way of the catalogue; ISO 8601. */
  readonly updated: string;
  /** First and last moment, where the catalogue knows them; ISO 8601. */
  readonly interval: readonly [start: string | null, end: string | null] | undefined;
};

/** What is known of a layer with very many features: at which zooms it is summarised in cells, and what cells tell. */
export type LayerOverview = {
  /** The last zoom that is summarised; -1: none is. */
  readonly summaryTo: number;
  /** By zoom, up to `summaryTo`: which share of the features that fill a cell is drawn, the same ones in every tile. */
  readonly shares: readonly number[];
  /** By zoom, up to `summaryTo`: how many features fill a cell; undefined: it was made before they were counted. */
  readonly large?: readonly number[];
  /** The last zoom whose tiles have the columns of cells alone, since all columns of so many features are too much; at least `summaryTo`. */
  readonly bareTo: number;
  /** Columns whose mean cells have. */
  readonly numbers: readonly string[];
  /** Columns of which cells have a value, as often as it is frequent. */
  readonly categories: readonly string[];
  /** Features that were counted. */
  readonly rows: number;
  /** Rows have changed since, and are not in it yet. */
  readonly isUpdating: boolean;
};

export type VectorLayer = Published & {
  readonly kind: 'vector';
  /** In the schema `layers`. */
  readonly table: string;
  readonly primaryKey: string;
  /** Type of the key, as format_type prints it. */
  readonly keyType: string;
  readonly geometry: {
    readonly column: string;
    readonly kind: GeometryKind;
    /** As PostGIS writes it: `MultiPolygon`, `PointZ`, `Geometry`. */
    readonly type: string;
    readonly nullable: boolean;
  };
  /** Without the geometry; in table order, the primary key among them. */
  readonly columns: readonly LayerColumn[];
  /** Column that says when a feature is, for time-enabled layers. */
  readonly timeColumn: string | undefined;
  /** The table has row rules besides ours: callers may see different rows of it. */
  readonly ownRowRules: boolean;
  /** How many, as the database's statistics have it; 0: not known. */
  readonly estimatedRows: number;
  /** Undefined: it is not prepared, or callers see different rows. */
  readonly overview: LayerOverview | undefined;
  /** Schema in which PostGIS stands. */
  readonly gis: string;
};

/** A layer's table whether or not its rows have places: what can be counted and filtered. */
export type LayerTable = Omit<VectorLayer, 'geometry'> & { readonly geometry: VectorLayer['geometry'] | undefined };

export type RasterLayer = Published & {
  readonly kind: 'raster';
  /** Key of the cloud-optimised GeoTIFF in the blob store. */
  readonly blob: string;
  /** Of the file. */
  readonly bytes: number;
  readonly size: readonly [width: number, height: number];
  readonly bands: readonly { readonly type: string; readonly nodata: number | null }[];
};

export type Layer = VectorLayer | RasterLayer;
