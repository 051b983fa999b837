// Where clients reach the service, from settings alone: what a request says of its host is the client's word, and the
// document is kept for others.

import { trimEndOf } from '../../../kernel/trim-end.ts';

export type ServerAddress = {
  readonly scheme: 'http' | 'https';
  /** With port, as Swagger 2.0 wants it: `example.com:443`. */
  readonly host: string;
  /** `/`, or the path the service is mounted at, without a slash at the end. */
  readonly basePath: string;
  /** Absolute behind a proxy that is known; otherwise a path, so that it holds on whatever address the document came from. */
  readonly url: string;
};

export type AddressSettings = {
  readonly openapiServerProxyUri: string | undefined;
  readonly serverHost: string;
  readonly serverPort: number;
  /** Path under which the service is mounted in a larger server; `/` when it stands alone. */
  readonly mount?: string;
};

const ANY_HOST: ReadonlySet<string> = new Set(['*', '*4', '!4', '*6', '!6']);

export function serverAddress(settings: AddressSettings): ServerAddress {
  const proxy = settings.openapiServerProxyUri;
  if (proxy === undefined) {
    const basePath = withoutEndSlash(settings.mount ?? '/');
    return {
      scheme: 'http',
      host: `${shownHost(settings.serverHost)}:${settings.serverPort}`,
      basePath,
      url: basePath,
    };
  }
  const uri = new URL(proxy);
  const scheme = uri.protocol === 'https:' ? 'https' : 'http';
  const basePath = belowMount(withoutEndSlash(uri.pathname), settings.mount);
  return {
    scheme,
    host: `${uri.hostname}:${uri.port === '' ? (scheme === 'https' ? 443 : 80) : uri.port}`,
    basePath,
    url: `${uri.origin}${basePath === '/' ? '' : basePath}`,
  };
}

/** Who names the address of one of several databases names it whole; who names that of the program, without. */
function belowMount(path: string, mount: string | undefined): string {
  if (mount === undefined || path.endsWith(mount)) return path;
  return path === '/' ? mount : path + mount;
}

function shownHost(host: string): string {
  if (ANY_HOST.has(host)) return '0.0.0.0';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function withoutEndSlash(path: string): string {
  const trimmed = trimEndOf(path, '/');
  return trimmed === '' ? '/' : trimmed;
}
