// The Authorization header → what it offers. Nothing is checked yet.

export type Offered =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** One of the two schemes, with something after it that cannot be read. */
  | { readonly kind: 'unreadable'; readonly scheme: 'basic' | 'bearer' };

const LONGEST = 8192;

/** Schemes that are not ours are nothing: a proxy before us may have its own. */
export function parseAuthorization(header: string | undefined): Offered {
  const text = (header ?? '').trim();
  const parts = /^(basic|bearer)(?![^\s])/i.exec(text);
  if (parts === null) return { kind: 'nothing' };
  const scheme = parts[0].toLowerCase() === 'basic' ? 'basic' : 'bearer';
  const rest = text.slice(scheme.length).trimStart();
  if (rest === '' || rest.length > LONGEST || /\s/.test(rest)) return { kind: 'unreadable', scheme };
  return scheme === 'bearer' ? { kind: 'bearer', token: rest } : parseBasic(rest);
}

function parseBasic(encoded: string): Offered {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return { kind: 'unreadable', scheme: 'basic' };
  const pair = decode(Buffer.from(encoded, 'base64'));
  const colon = pair.indexOf(':');
  return colon < 0
    ? { kind: 'unreadable', scheme: 'basic' }
    : { kind: 'basic', username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

/** UTF-8 is what we ask for in the challenge; older clients send Latin-1. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
