// What uploads ask of the map server: to read files into tables that stand ready. The map server fills it; `server` puts the
// two together. Only what is used here is named.

import type { Result } from '../../kernel/result.ts';

export type Answers = {
  readonly charset?: string;
  readonly crs?: string;
  readonly x?: string;
  readonly y?: string;
  readonly wkt?: string;
};

export type Question =
  /** `said`: why it is asked again; `reason`: the same as data. */
  | { readonly kind: 'crs'; readonly file: string; readonly said?: string; readonly reason?: unknown }
  | { readonly kind: 'columns'; readonly file: string; readonly columns: readonly string[] };

export type ImportProgress = {
  readonly phase: 'fetching' | 'reading' | 'indexing';
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly features: number;
};

/** xmin, ymin, xmax, ymax. */
export type Extent = readonly [number, number, number, number];

type Place = {
  readonly srid: number;
  readonly crs: string;
  readonly native: Extent;
  readonly wgs84: Extent;
};

export type StagedColumn = {
  readonly name: string;
  readonly label: string;
  /** As PostgreSQL writes it. */
  readonly type: string;
  readonly xsd: string;
  readonly statistics: {
    readonly count: number;
    readonly min?: string;
    readonly max?: string;
    readonly average?: string;
    readonly median?: string;
    readonly stddev?: string;
    readonly sum?: string;
    readonly values?: readonly string[];
  };
};

/** A table in `staging`. */
export type StagedTable = {
  readonly kind: 'vector';
  readonly table: string;
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

/** A cloud-optimised GeoTIFF on the disk. */
export type StagedRaster = {
  readonly kind: 'raster';
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bands: readonly { readonly type: string; readonly nodata: number | null; readonly color: string }[];
  readonly place: Place;
};

export type Staged = {
  readonly format: string;
  readonly file: string;
  readonly charset: string;
  readonly layers: readonly (StagedTable | StagedRaster)[];
  readonly warnings: readonly string[];
  readonly style: string | undefined;
  readonly metadata: string | undefined;
};

/** `F`: a failure as the map server knows it; `failureText` says it to people. */
export type ImportStop<F> =
  | { readonly kind: 'failed'; readonly failure: F }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'unavailable'; readonly error: { readonly kind: string; readonly message?: string } };

export type ImporterPort<F> = {
  run<T>(
    request: {
      readonly id: number;
      readonly files: readonly { readonly name: string; readonly blob: string }[];
      readonly answers: Answers;
    },
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
    publish: (staged: Staged) => Promise<T>,
  ): Promise<Result<T, ImportStop<F>>>;
  clear(id: number): Promise<void>;
  clearFolders(): Promise<void>;
};
