// What a client is told when a file cannot be stored.

import type { DiskFault } from '../../kernel/disk-fault.ts';

type DiskAnswer = {
  readonly status: number;
  readonly said: string;
  readonly headers: Readonly<Record<string, string>>;
};

export const DISK_ANSWERS: Readonly<Record<DiskFault, DiskAnswer>> = {
  'no-space': { status: 507, said: 'There is no space left for the file. Try again later.', headers: {} },
  'read-only': { status: 507, said: 'Files cannot be stored: the disk of the server is read-only.', headers: {} },
  // Passes by itself as soon as others have closed theirs.
  'too-many-files': {
    status: 503,
    said: 'Too many files are open on the server. Try again in a moment.',
    headers: { 'Retry-After': '5' },
  },
};
