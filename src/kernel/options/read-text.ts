// How options reach files: by a function they are given. The kernel itself opens nothing.

import type { Result } from '../result.ts';

export type ReadFailure = 'missing' | 'denied' | 'directory' | 'not-utf8' | 'too-large' | 'failed';

/** The text of a UTF-8 file, without a byte order mark. */
export type ReadText = (path: string) => Promise<Result<string, ReadFailure>>;

export const READ_FAILURES: Readonly<Record<ReadFailure, string>> = {
  missing: 'does not exist',
  denied: 'may not be read by this user',
  directory: 'is a directory',
  'not-utf8': 'is not UTF-8 text',
  'too-large': 'is too large for settings',
  failed: 'cannot be read',
};
