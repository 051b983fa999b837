// The processes of this machine.

import { readdirSync, readFileSync } from 'node:fs';

export function processes(): readonly { readonly pid: number; readonly parent: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const [, parent] = /\) \S (\d+)/.exec(read(`/proc/${name}/stat`)) ?? [];
    return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
  });
}

/** Its words with spaces between them; empty: it has ended. */
export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
