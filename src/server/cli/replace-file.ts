// Writes a text file atomically: whoever reads it sees the old text or the new one, never a part. A file that has the text
// already is not touched, so that nothing that watches it wakes up.

import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { err, ok, type Result } from '../../kernel/result.ts';

/** Whether it was written. */
export async function replaceFile(
  path: string,
  text: string,
): Promise<Result<'written' | 'unchanged', { readonly message: string }>> {
  // A link stays one: the file it leads to is replaced.
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.${process.pid}.new`;
  try {
    const known = await stat(target).catch(() => undefined);
    if (known !== undefined && !known.isFile()) return err({ message: `"${path}" is not a file` });
    if (known !== undefined && (await readFile(target, 'utf8')) === text) return ok('unchanged');
    await writeFile(draft, text, known === undefined ? {} : { mode: known.mode });
    await rename(draft, target);
    return ok('written');
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    return err({ message: `"${path}" cannot be written: ${cause instanceof Error ? cause.message : String(cause)}` });
  }
}
