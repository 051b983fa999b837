// How a table of texts (CSV, a sheet of a workbook) is read: what somebody has chosen, and what a look at the file tells before it is imported.
// Whatever is not chosen is found by looking.

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const;
export const CELL_TYPES = ['text', 'integer', 'number', 'boolean', 'date', 'time'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];
export type CellType = (typeof CELL_TYPES)[number];

export type ColumnChoice = {
  /** It is left out. */
  readonly skip?: boolean;
  /** What it is called instead. */
  readonly name?: string;
  /** What its cells are; what cannot be read as that is nothing, and counted. */
  readonly type?: CellType;
};

export type TableChoices = {
  readonly delimiter?: (typeof DELIMITERS)[number];
  readonly decimal?: '.' | ',';
  /** The row with the names of the columns, counted from 1 among those that are not empty; 0: none has them. */
  readonly header?: number;
  /** Of dates that are not written year first. */
  readonly dates?: DateOrder;
  /** By the name in the file. */
  readonly columns?: Readonly<Record<string, ColumnChoice>>;
};

export type PreviewColumn = {
  /** In the file. */
  readonly name: string;
  readonly type: CellType;
  /** Cells with nothing in them. */
  readonly empty: number;
  /** Cells that cannot be read as the type that was chosen, and the lines of the first of them. */
  readonly lost: { readonly count: number; readonly lines: readonly number[] };
  /** It looks like dates written in one of these orders. */
  readonly dates: readonly DateOrder[];
  /** What was chosen of it. */
  readonly skip: boolean;
  readonly as: string | null;
};

export type TablePreview = {
  readonly format: string;
  readonly charset: string;
  readonly delimiter: string;
  /** Of a workbook with several sheets: the one that is shown, and all of them. */
  readonly sheet: string | null;
  readonly sheets: readonly string[];
  /** As chosen, or in which most can be read. */
  readonly decimal: '.' | ',';
  readonly dates: DateOrder;
  readonly header: number;
  /** That were looked at: all, or as many as a preview looks at. */
  readonly rows: number;
  readonly isPart: boolean;
  readonly places: 'columns' | 'geometries' | 'none' | 'unknown';
  /** The columns with coordinates, or the one with geometries. */
  readonly placed: readonly string[];
  /** Rows whose coordinates cannot be read, and the lines of the first of them: the import would stop there. */
  readonly misplaced: { readonly count: number; readonly lines: readonly number[] };
  readonly columns: readonly PreviewColumn[];
  /** The first rows as they are in the file, each cell cut to what can be shown. */
  readonly first: readonly (readonly string[])[];
};
