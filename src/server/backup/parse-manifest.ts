// The text of a manifest → the manifest of a backup that can be put back here, or why not.

import { err, ok, type Result } from '../../kernel/result.ts';
import { manifestFault } from './check-manifest.ts';
import { FORMAT, FORMAT_VERSION, type Manifest } from './manifest.ts';

export function parseManifest(text: string, from: string): Result<Manifest, { readonly message: string }> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return err({ message: `the manifest of ${from} cannot be read: it is not JSON` });
  }
  const manifest = read as Partial<Manifest> | null;
  if (typeof manifest !== 'object' || manifest?.format !== FORMAT)
    return err({ message: `${from} is not a backup of Survest` });
  if (typeof manifest.version !== 'number' || manifest.version > FORMAT_VERSION) {
    return err({
      message: `${from} was made by Survest ${String(manifest.program)} in a format that this release does not know: use that release, or a later one`,
    });
  }
  const fault = manifestFault(manifest);
  if (fault !== undefined)
    return err({ message: `${from} is refused: ${fault}. A backup made by Survest has no such thing` });
  return ok(manifest as Manifest);
}
