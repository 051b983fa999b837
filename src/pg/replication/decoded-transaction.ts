// What logical decoding tells of a transaction that has been committed: which rows of which tables, by their keys. Plain data, so that it can go from
// one process to another.

export type DecodedChange = {
  /** The table's OID; of a partition, its root's. */
  readonly relation: string;
  /** Names of the columns that the keys are of, in no particular order. */
  readonly columns: readonly string[];
  /** Each a JSON array of texts, one for each column; undefined: any row may have changed. */
  readonly keys: readonly string[] | undefined;
};

export type DecodedTransaction = {
  /** Without its epoch, as the protocol has it. */
  readonly xid: number;
  readonly changes: readonly DecodedChange[];
};
