// Why an import goes no further: the file's fault, a question, or a bad day of something else.

import { err, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import type { ImportFailure, Question } from './import-failure.ts';
import type { LoadError } from './load-table.ts';

export type ImportStop =
  | { readonly kind: 'failed'; readonly failure: ImportFailure }
  | { readonly kind: 'question'; readonly question: Question }
  /** Not the file's fault, and perhaps gone when it is tried again. */
  | { readonly kind: 'unavailable'; readonly error: DbError | { readonly kind: 'store'; readonly message: string } };

export function failed(failure: ImportFailure): Result<never, ImportStop> {
  return err({ kind: 'failed', failure });
}

export function stopOf(error: LoadError, file: string): ImportStop {
  if (error.kind === 'bad-row') {
    const { layer, row, column, said } = error;
    return {
      kind: 'failed',
      failure: { kind: 'bad-feature', file, layer: isOurName(layer) ? '' : layer, feature: row, column, said },
    };
  }
  if (error.error.kind === 'sql') {
    if (error.error.sqlstate === '53100') return { kind: 'failed', failure: { kind: 'no-space' } };
    if (/^(?:22|23|42|54|XX000)/.test(error.error.sqlstate))
      return { kind: 'failed', failure: { kind: 'database', said: error.error.message } };
  }
  return { kind: 'unavailable', error: error.error };
}

/** Layers of formats that have one only are called after the name we gave the file. */
function isOurName(layer: string): boolean {
  return layer === 'data' || /\.(?:csv|kml|xlsx|txt|tsv)$/i.test(layer);
}
