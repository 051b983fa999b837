// Versions of the Web Feature Service: which one a request speaks, and which one is agreed upon. Pure.

import { ok, type Result } from '../../../kernel/result.ts';
import { type WfsError, wfsError } from './wfs-error.ts';

export type WfsVersion = '1.0.0' | '1.1.0' | '2.0.0';

/** Oldest first. */
export const VERSIONS: readonly WfsVersion[] = ['1.0.0', '1.1.0', '2.0.0'];
const NEWEST: WfsVersion = '2.0.0';

const SPOKEN = `The versions spoken here are ${VERSIONS.join(', ')}.`;

/** By address, nothing said means the newest; in XML, the namespace tells it (wfs-request.ts). */
export function versionOf(values: ReadonlyMap<string, string>): Result<WfsVersion, WfsError> {
  const said = values.get('version')?.trim();
  if (said === undefined || said === '') return ok(NEWEST);
  const version = exact(said);
  return version === undefined ? wfsError('InvalidParameterValue', 'version', SPOKEN) : ok(version);
}

/**
 * Of GetCapabilities. `acceptVersions` is a list, the best first; before it there was only `version`, of which the next lower one is
 * answered where it is not spoken.
 */
export function negotiateVersion(values: ReadonlyMap<string, string>): Result<WfsVersion, WfsError> {
  const accepted = values.get('acceptversions');
  if (accepted !== undefined && accepted !== '') {
    const version = accepted
      .split(',')
      .map((one) => exact(one.trim()))
      .find((one) => one !== undefined);
    return version === undefined ? wfsError('VersionNegotiationFailed', 'acceptVersions', SPOKEN) : ok(version);
  }
  const said = values.get('version')?.trim();
  if (said === undefined || said === '') return ok(NEWEST);
  const lower = VERSIONS.filter((version) => isNotAfter(version, said));
  return ok(exact(said) ?? lower.at(-1) ?? '1.0.0');
}

/** In which a failure is told of a request that could not be read: the one it names, or the newest. */
export function versionNamed(said: string | undefined): WfsVersion {
  return (said === undefined ? undefined : exact(said.trim())) ?? NEWEST;
}

/** `2.0.2` is 2.0.0 with corrections. */
function exact(said: string): WfsVersion | undefined {
  const [, minor] = /^(\d{1,3}\.\d{1,3})(?:\.\d{1,3})?$/.exec(said) ?? [];
  return VERSIONS.find((version) => minor !== undefined && version.startsWith(`${minor}.`));
}

function isNotAfter(version: string, said: string): boolean {
  const [a, b] = [version, said].map((one) => one.split('.').map(Number));
  for (const [i, part] of (a ?? []).entries()) {
    const other = b?.[i] ?? 0;
    if (Number.isNaN(other)) return true;
    if (part !== other) return part < other;
  }
  return true;
}
