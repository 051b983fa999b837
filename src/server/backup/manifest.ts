// The manifest of a backup: what is in it, with a checksum for everything. It is written last, so a backup that has one is whole.

export const FORMAT = 'survest-backup';
/** Raised when an older program could not read what a newer one writes. */
export const FORMAT_VERSION = 1;

/** A piece of the rows of a table, kept under the checksum of its content: the same rows are kept once. */
export type Chunk = {
  /** Of the bytes before they are compressed. */
  readonly sha256: string;
  readonly bytes: number;
};

export type TableRows = {
  readonly schema: string;
  readonly name: string;
  /** Those that are copied; generated ones are made anew. */
  readonly columns: readonly string[];
  /** Only rows that fulfil it are kept, in tables that also hold rows of others. */
  readonly where?: string;
  /** Its rows are in tables that are parts of it. */
  readonly isPartitioned?: true;
  readonly rows: number;
  /** Of all rows in the text format of COPY. */
  readonly sha256: string;
  readonly chunks: readonly Chunk[];
};

/** A table that no file of the schema makes: the statements that make it, around its rows. */
export type TableDefinition = {
  readonly schema: string;
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** When all tables have their rows: what refers to another table. */
  readonly last: readonly string[];
  readonly grants: readonly { readonly role: string; readonly sql: string }[];
};

export type SequenceState = {
  readonly schema: string;
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
};

export type FileEntry = { readonly key: string; readonly size: number; readonly sha256: string };

type AppliedMigration = { readonly number: number; readonly file: string; readonly checksum: string };

export type DatabasePart = {
  readonly engine: 'postgres' | 'pglite';
  readonly server: string;
  readonly postgis: string;
  readonly postgisSchema: string;
  readonly migrations: readonly AppliedMigration[];
  /** In an order in which each comes after those it refers to. */
  readonly tables: readonly TableRows[];
  readonly definitions: readonly TableDefinition[];
  readonly sequences: readonly SequenceState[];
  readonly queues: readonly string[];
  /** What the database has besides, and this backup has not; a sentence each. */
  readonly leftOut: readonly string[];
};

export type Manifest = {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly program: string;
  readonly created: string;
  readonly database: DatabasePart;
  readonly files: readonly FileEntry[];
  /** Small files of the data folder that say something about the portal, by their names. */
  readonly state: Readonly<Record<string, string>>;
  /** Files that the database refers to and the store did not have. */
  readonly missingFiles: readonly string[];
};
