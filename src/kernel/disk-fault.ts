// Why a file cannot be stored, told from an error of Node's file system: the three causes that are the machine's and not a bug, so that every writer of
// files names them alike.

import { constants } from 'node:os';

export type DiskFault = 'no-space' | 'read-only' | 'too-many-files';

/** Node has no name for a quota that is used up: `Unknown system error -122`. */
const OVER_QUOTA = -constants.errno.EDQUOT;

/** Undefined: something else. */
export function diskFault(error: unknown): DiskFault | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errno' in error && error.errno === OVER_QUOTA) return 'no-space';
  switch ('code' in error ? error.code : undefined) {
    case 'ENOSPC':
      return 'no-space';
    case 'EROFS':
      return 'read-only';
    case 'EMFILE':
    case 'ENFILE':
      return 'too-many-files';
    default:
      return undefined;
  }
}

/** For the log and for operators. */
export const DISK_FAULTS: Readonly<Record<DiskFault, string>> = {
  'no-space': 'there is no space left on the disk',
  'read-only': 'the disk is read-only',
  'too-many-files': 'too many files are open',
};

const SAYS_NO_SPACE = /ENOSPC|EDQUOT|No space left|Disk quota exceeded|disk is full/i;

/** The same, told from what another program wrote when it could not write a file. */
export function saysNoSpace(text: string): boolean {
  return SAYS_NO_SPACE.test(text) || text.includes(`Unknown system error ${OVER_QUOTA}`);
}
