// A DbError as an exception, for code that can only throw: callbacks of libraries, and transactions that have to be left from inside. Whoever
// catches it answers as for the error itself.

import type { DbError } from './driver.ts';

export class DbException extends Error {
  readonly error: DbError;

  constructor(error: DbError) {
    super('message' in error ? error.message : error.kind);
    this.name = 'DbException';
    this.error = error;
  }
}
