// What the reading process is told, and what it tells while it works. Both are JSON: the task comes through its standard
// input, messages go out as lines of their own pipe, the rows of the layers through another.

import type { TableChoices, TablePreview } from '../../layer-ports/table-choices.ts';
import type { Sandbox } from '../gdal/sandbox.ts';
import type { ImportFailure, Question } from './import-failure.ts';

/** How GDAL is run, and what the reading process is shut in by. */
export type EngineChoice =
  /** Compiled to WebAssembly, in the reading process itself; that holds without a sandbox, and better in one. */
  | {
      readonly kind: 'wasm';
      readonly sandbox?: Sandbox;
      /** Why the programs of the system are not used, although they are there. */
      readonly why?: string;
    }
  | {
      readonly kind: 'native';
      readonly ogr2ogr: string;
      readonly ogrinfo: string;
      readonly gdalinfo: string;
      readonly gdalTranslate: string;
      /** Every driver it has, those for both among the first; all but the one that is meant are switched off. */
      readonly vectorDrivers: readonly string[];
      readonly rasterDrivers: readonly string[];
      /** Never without. */
      readonly sandbox: Sandbox;
    };

export type TaskFile = {
  /** What its sender calls it, without folders. */
  readonly name: string;
  /** In the work folder. */
  readonly path: string;
};

/** What a person has said about the file. */
export type Answers = {
  readonly charset?: string;
  /** `EPSG:4326`. */
  readonly crs?: string;
  /** Columns of a table that hold coordinates. */
  readonly x?: string;
  readonly y?: string;
  /** Column of a table that holds geometries as text. */
  readonly wkt?: string;
  /** The rows of a table have no places. */
  readonly places?: 'none';
  /** Of a workbook: the sheet that is meant. */
  readonly sheet?: string;
  /** The rows go into one table that exists: of several sheets the largest is meant. */
  readonly isOne?: true;
  /** How a table is read, where it is not to be found by looking. */
  readonly table?: TableChoices;
};

export type ReadTask = {
  /** The reading process writes here and nowhere else. */
  readonly folder: string;
  readonly files: readonly TaskFile[];
  readonly engine: EngineChoice;
  readonly answers: Answers;
  /** `inspect` only says what layers there are, and in which coordinate systems; `preview` what a table is read as. */
  readonly mode: 'read' | 'inspect' | 'preview';
  readonly limits: {
    readonly unpackedBytes: number;
    readonly members: number;
    readonly memoryBytes: number;
  };
};

export type InspectedLayer = {
  readonly name: string;
  /** WKT of its coordinate system; undefined: it has none. */
  readonly crs: string | undefined;
};

export type RasterBand = { readonly type: string; readonly nodata: number | null; readonly color: string };

export type RasterResult = {
  /** A cloud-optimised GeoTIFF in the work folder. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bands: readonly RasterBand[];
  /** xmin, ymin, xmax, ymax in its own coordinate system. */
  readonly extent: readonly [number, number, number, number];
  readonly epsg: number | undefined;
  readonly wkt: string;
};

/** What was sent along with the data. */
export type Companions = { readonly style?: string; readonly metadata?: string };

/** Types that the reader knows better than GDAL does, by column, as a dump names them. */
export type KnownTypes = readonly (readonly [column: string, type: 'boolean' | 'varchar'])[];

export type ReaderMessage =
  /** What will be read; comes before the first row. */
  | {
      readonly kind: 'dataset';
      readonly file: string;
      readonly format: string;
      readonly charset: string;
      readonly companions: Companions;
      /** Columns that GDAL makes of something else in the file. */
      readonly ignored: readonly string[];
      readonly types: KnownTypes;
      /** Layers without a geometry are tables that somebody made; else they are leftovers of the format. */
      readonly hasTables: boolean;
    }
  | { readonly kind: 'progress'; readonly read: number; readonly total: number }
  | { readonly kind: 'layers'; readonly layers: readonly InspectedLayer[] }
  | { readonly kind: 'preview'; readonly preview: TablePreview }
  | { readonly kind: 'raster'; readonly raster: RasterResult }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'failed'; readonly failure: ImportFailure }
  | { readonly kind: 'done'; readonly warnings: readonly string[] };
