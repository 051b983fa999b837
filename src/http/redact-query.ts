// Addresses for the log, without the secrets that some clients put into them: values of parameters that are called like one.

const SECRET: ReadonlySet<string> = new Set([
  'access_token',
  'api_key',
  'apikey',
  'assertion',
  'auth',
  'authorization',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'csrfmiddlewaretoken',
  'id_token',
  'id_token_hint',
  'jwt',
  'key',
  'unlisted',
  'login_hint',
  'logout_token',
  'nonce',
  'passwd',
  'password',
  'refresh_token',
  'secret',
  'session',
  'sig',
  'signature',
  'state',
  'token',
  'x-amz-credential',
  'x-amz-security-token',
  'x-amz-signature',
]);

/** `/o/authorize?code=abc&x=1` → `/o/authorize?code=***&x=1`. Users of the address (`http://name:password@host`) go, too. */
export function redactQuery(address: string): string {
  const mark = address.indexOf('?');
  const path = withoutUser(mark < 0 ? address : address.slice(0, mark));
  if (mark < 0) return path;
  return `${path}?${address
    .slice(mark + 1)
    .split('&')
    .map(redactParameter)
    .join('&')}`;
}

function redactParameter(parameter: string): string {
  const equals = parameter.indexOf('=');
  return equals >= 0 && isSecret(parameter.slice(0, equals)) ? `${parameter.slice(0, equals)}=***` : parameter;
}

/** The longest of the names, each character percent-encoded. */
const LONGEST = 3 * 24;

function isSecret(name: string): boolean {
  if (name.length > LONGEST) return false;
  try {
    return SECRET.has(decodeURIComponent(name).toLowerCase());
  } catch {
    return false;
  }
}

function withoutUser(path: string): string {
  const scheme = path.indexOf('://');
  if (scheme < 0) return path;
  const end = path.indexOf('/', scheme + 3);
  const at = path.slice(0, end < 0 ? path.length : end).lastIndexOf('@');
  return at < 0 ? path : `${path.slice(0, scheme + 3)}${path.slice(at + 1)}`;
}
