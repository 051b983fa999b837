// Resident memory of a process and of all that it has started, as Linux tells it; 0 where the system does not tell. The one that
// was started may be a sandbox only, and the one that does the work its grandchild.

import { readFile } from 'node:fs/promises';

const PAGE_BYTES = 4096;
/** More than any of ours starts. */
const MAX_PROCESSES = 64;

export async function memoryOf(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0;
  const waiting = [pid];
  let pages = 0;
  for (let count = 0; count < MAX_PROCESSES; count += 1) {
    const next = waiting.pop();
    if (next === undefined) break;
    const [size, children] = await Promise.all([
      readFile(`/proc/${next}/statm`, 'utf8').catch(() => ''),
      readFile(`/proc/${next}/task/${next}/children`, 'utf8').catch(() => ''),
    ]);
    pages += Number(size.split(' ')[1] ?? 0);
    waiting.push(...children.split(' ').filter(Boolean).map(Number));
  }
  return pages * PAGE_BYTES;
}
