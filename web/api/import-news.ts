// What the portal tells of an import under way, as an event of its stream.

import {
  type Guard,
  isEither,
  isFlag,
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isRecordOf,
  isText,
} from '../lib/guard.ts';
import type { ImportReason } from '../lib/import-reason.ts';

export type ImportQuestion =
  | { readonly kind: 'crs'; readonly said?: string | undefined; readonly reason?: ImportReason | null | undefined }
  | {
      readonly kind: 'columns';
      readonly columns: readonly string[];
      /** Of a workbook with several. */
      readonly sheets?: readonly string[] | undefined;
    }
  | {
      readonly kind: 'missing-columns';
      readonly columns: readonly string[];
      /** Columns that may tell the rows apart. */
      readonly keys: readonly string[];
    };

export type ImportNews = {
  readonly id: number;
  readonly state: string;
  readonly progress: number;
  readonly phase: string | null;
  readonly features: number;
  readonly question: ImportQuestion | null;
  readonly error_msg: string | null;
  readonly reason?: ImportReason | null | undefined;
  /** It failed, and its files are kept. */
  readonly can_retry: boolean;
  readonly layer: number | null;
  readonly warnings?: readonly string[] | undefined;
  /** Of a layer that was replaced or added to. */
  readonly rows?: { readonly before: number; readonly after: number } | null | undefined;
};

const isNone: Guard<null | undefined> = (value) => value === null || value === undefined;
const isNull = isOneOf(null);
const isMissing = isOneOf(undefined);
const isReason: Guard<ImportReason> = (value): value is ImportReason => isObject(value) && isText(value['kind']);
const isQuestion: Guard<ImportQuestion> = isEither(
  isRecordOf<Extract<ImportQuestion, { kind: 'crs' }>>({
    kind: isOneOf('crs'),
    said: isEither(isText, isMissing),
    reason: isEither(isReason, isNone),
  }),
  isEither(
    isRecordOf<Extract<ImportQuestion, { kind: 'columns' }>>({
      kind: isOneOf('columns'),
      columns: isListOf(isText),
      sheets: isEither(isListOf(isText), isMissing),
    }),
    isRecordOf<Extract<ImportQuestion, { kind: 'missing-columns' }>>({
      kind: isOneOf('missing-columns'),
      columns: isListOf(isText),
      keys: isListOf(isText),
    }),
  ),
);
const isNews = isRecordOf<ImportNews>({
  id: isNumber,
  state: isText,
  progress: isNumber,
  phase: isEither(isText, isNull),
  features: isNumber,
  question: isEither(isQuestion, isNull),
  error_msg: isEither(isText, isNull),
  reason: isEither(isReason, isNone),
  can_retry: isFlag,
  layer: isEither(isNumber, isNull),
  warnings: isEither(isListOf(isText), isMissing),
  rows: isEither(
    isRecordOf<{ readonly before: number; readonly after: number }>({ before: isNumber, after: isNumber }),
    isNone,
  ),
});

/** Undefined: it is none. */
export function parseNews(text: string): ImportNews | undefined {
  const value: unknown = JSON.parse(text);
  return isNews(value) ? value : undefined;
}
