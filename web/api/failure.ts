// Why a request came to nothing, told apart by what a person can do about it.

export type Failure =
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'invalid'; readonly message: string; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'offline' }
  | { readonly kind: 'server'; readonly status: number; readonly message: string };

/** The bodies of errors: `{"detail": …}`, field → messages, or a list of messages. */
export function failureOf(status: number, body: unknown): Failure {
  const message = messageOf(body);
  if (status === 401) return { kind: 'signed-out' };
  if (status === 403) return { kind: 'refused', message };
  if (status === 404 || status === 410) return { kind: 'not-found' };
  if (status >= 400 && status < 500) return { kind: 'invalid', message, fields: fieldsOf(body) };
  return { kind: 'server', status, message };
}

function messageOf(body: unknown): string {
  if (typeof body === 'string') return body.slice(0, 500);
  if (Array.isArray(body)) return body.map(messageOf).join(' ');
  if (typeof body !== 'object' || body === null) return '';
  const { detail, message, errors, error_msg, non_field_errors } = body as Record<string, unknown>;
  for (const said of [detail, message, error_msg, errors, non_field_errors]) {
    if (typeof said === 'string') return said;
    if (Array.isArray(said)) return said.map(messageOf).join(' ');
  }
  return Object.entries(fieldsOf(body))
    .map(([field, text]) => `${field}: ${text}`)
    .join(' ');
}

function fieldsOf(body: unknown): Readonly<Record<string, string>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const fields: Record<string, string> = {};
  for (const [field, messages] of Object.entries(body)) {
    if (Array.isArray(messages) && messages.every((one) => typeof one === 'string')) fields[field] = messages.join(' ');
  }
  return fields;
}
