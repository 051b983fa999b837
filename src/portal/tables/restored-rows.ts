// What came of undoing a change of a layer's rows.

/** How many rows the layer had and has. */
export type RestoredRows = {
  readonly before: number;
  readonly after: number;
  /** Of a column: values that came back, and those that somebody has changed since, which stay. */
  readonly restored?: number;
  readonly stayed?: number;
};
