// Why a file cannot become a layer, as data: which file, which feature, and what to do about it. Words are in
// `import-failure-text.ts`.

export type ArchiveFault =
  /** Not a zip, or cut off. */
  | 'broken'
  | 'encrypted'
  /** A member's name leads out of the archive. */
  | 'unsafe-name'
  | 'link'
  | 'too-large'
  | 'too-many'
  | 'nested';

export type ImportFailure =
  | { readonly kind: 'no-files' }
  /** It was sent, but is not in the store any more. */
  | { readonly kind: 'lost-file'; readonly file: string }
  | { readonly kind: 'empty-file'; readonly file: string }
  /** `what`: what it seems to be; undefined: nobody knows. */
  | { readonly kind: 'unsupported'; readonly file: string; readonly what: string | undefined }
  | { readonly kind: 'bad-archive'; readonly file: string; readonly fault: ArchiveFault; readonly member?: string }
  | { readonly kind: 'nothing-in-archive'; readonly file: string }
  | { readonly kind: 'several-datasets'; readonly file: string; readonly found: readonly string[] }
  | { readonly kind: 'missing-part'; readonly file: string; readonly part: 'shp' | 'dbf' | 'shx' }
  /** Something in it that could lead elsewhere; `what` with an article. */
  | { readonly kind: 'forbidden-content'; readonly file: string; readonly what: string }
  /** GDAL's own words. */
  | { readonly kind: 'unreadable'; readonly file: string; readonly said: string }
  | {
      readonly kind: 'bad-encoding';
      readonly file: string;
      readonly charset: string;
      readonly line: number | undefined;
    }
  /** Only tables of texts are looked at before they are imported; `what` it is. */
  | { readonly kind: 'no-table'; readonly file: string; readonly what: string }
  | { readonly kind: 'unknown-charset'; readonly charset: string }
  | { readonly kind: 'unknown-crs'; readonly crs: string }
  | { readonly kind: 'no-features'; readonly file: string }
  /** Rows, but no place on earth. */
  | { readonly kind: 'no-geometry'; readonly file: string }
  | { readonly kind: 'too-many-columns'; readonly file: string; readonly columns: number; readonly limit: number }
  /** `feature` counts from 1, as they are in the file. */
  | {
      readonly kind: 'bad-feature';
      readonly file: string;
      readonly layer: string;
      readonly feature: number;
      /** Undefined: the geometry. */
      readonly column: string | undefined;
      readonly said: string;
    }
  | { readonly kind: 'bad-row'; readonly file: string; readonly line: number; readonly said: string }
  | {
      readonly kind: 'outside-crs';
      readonly file: string;
      readonly crs: string;
      readonly extent: string;
      /** The first feature that does not lie there, where one can be named. */
      readonly feature?: number;
    }
  | { readonly kind: 'not-georeferenced'; readonly file: string }
  /** `bytes`: its pixels as they are when nothing is compressed. */
  | {
      readonly kind: 'too-many-pixels';
      readonly file: string;
      readonly width: number;
      readonly height: number;
      readonly bands: number;
      readonly bytes: number;
      readonly limit: number;
    }
  | { readonly kind: 'too-much-data'; readonly file: string; readonly limit: number }
  | { readonly kind: 'too-long'; readonly seconds: number }
  | { readonly kind: 'too-much-memory'; readonly bytes: number }
  /** The reading process died by itself. */
  | { readonly kind: 'crashed'; readonly file: string; readonly how: string }
  | { readonly kind: 'no-space' }
  /** Data for a layer that exists do not fit it. */
  | { readonly kind: 'does-not-fit'; readonly said: string }
  /** The database, where it is nobody's file that is wrong. */
  | { readonly kind: 'database'; readonly said: string };

/** It may go better another time, on another day or with another setting: the file is not to blame, or not surely. */
export function isPassingFailure({ kind }: ImportFailure): boolean {
  return PASSING.has(kind);
}

/** Killed from outside (an administrator, the kernel short of memory) rather than by a fault of its own. */
export function isKilledReader(failure: ImportFailure): boolean {
  return failure.kind === 'crashed' && /^SIG(?:KILL|TERM|INT|HUP)$/.test(failure.how);
}

const PASSING: ReadonlySet<ImportFailure['kind']> = new Set([
  'no-space',
  'too-long',
  'too-much-memory',
  'too-much-data',
  'crashed',
]);

/** What only a person can say. The import waits for the answer. */
export type Question =
  | {
      readonly kind: 'crs';
      readonly file: string;
      /** Why it is asked again: what was said cannot be. */
      readonly said?: string;
      /** The same as data. */
      readonly reason?: ImportFailure;
    }
  | {
      readonly kind: 'columns';
      readonly file: string;
      readonly columns: readonly string[];
      /** Of a workbook with several. */
      readonly sheets?: readonly string[];
    };
