// sslmode and certificate files → the ways to try, in order, as libpq would: in the clear, or TLS with these options.

import { readFile } from 'node:fs/promises';
import type { ConnectionOptions, SecureVersion } from 'node:tls';
import type { ConnectSettings, HostTarget, TlsFiles } from './connect-settings.ts';

/** `false`: without TLS. */
export type TlsChoice = ConnectionOptions | false;

/** Throws when a file the caller named cannot be read. */
export async function tlsChoices(
  settings: ConnectSettings,
  target: HostTarget,
): Promise<readonly [TlsChoice, ...TlsChoice[]]> {
  if (target.address.startsWith('/') || settings.sslMode === 'disable') return [false];
  switch (settings.sslMode) {
    case 'allow':
      return [false, await tlsOptions(settings, target)];
    case 'prefer':
      return [await tlsOptions(settings, target), false];
    default:
      return [await tlsOptions(settings, target)];
  }
}

async function tlsOptions(settings: ConnectSettings, target: HostTarget): Promise<ConnectionOptions> {
  const { sslMode, tlsFiles } = settings;
  const verifies = sslMode === 'verify-ca' || sslMode === 'verify-full';
  const systemRoots = tlsFiles.rootCert === 'system';
  const ca = systemRoots ? undefined : await readCert(tlsFiles, 'rootCert', verifies);
  const cert = await readCert(tlsFiles, 'cert', false);
  const key = cert === undefined ? undefined : await readCert(tlsFiles, 'key', true);
  const crl = await readCert(tlsFiles, 'crl', false);
  // libpq: with a root certificate at hand, the weaker modes check the chain as verify-ca does.
  const checksChain = verifies || (ca !== undefined && sslMode !== 'no-verify') || systemRoots;
  const checksName = sslMode === 'verify-full' || systemRoots;
  return {
    rejectUnauthorized: checksChain,
    ...(checksName ? {} : { checkServerIdentity: () => undefined }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(crl === undefined ? {} : { crl }),
    ...(settings.tlsKeyPassword === undefined ? {} : { passphrase: settings.tlsKeyPassword }),
    ...(isVersion(settings.tlsMinVersion) ? { minVersion: settings.tlsMinVersion } : {}),
    ...(isVersion(settings.tlsMaxVersion) ? { maxVersion: settings.tlsMaxVersion } : {}),
    // With hostaddr the certificate is still that of the host.
    ...(target.address === target.host ? {} : { host: target.host, servername: target.host }),
  };
}

async function readCert(
  files: TlsFiles,
  kind: 'rootCert' | 'cert' | 'key' | 'crl',
  needed: boolean,
): Promise<string | undefined> {
  try {
    return await readFile(files[kind], 'utf8');
  } catch (cause) {
    if (needed || files.named.has(kind)) throw new Error(`cannot read the TLS file ${files[kind]}`, { cause });
    return undefined;
  }
}

function isVersion(text: string | undefined): text is SecureVersion {
  return text === 'TLSv1' || text === 'TLSv1.1' || text === 'TLSv1.2' || text === 'TLSv1.3';
}
