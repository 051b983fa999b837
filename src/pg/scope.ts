// Who is asking, as one statement: everything the database is told of the request before the main statement runs.
// All settings are local to the transaction and gone with it.

import { quoteIdent, quoteLiteral } from '../sql/index.ts';
import type { Batch, Statement } from './driver.ts';

export type Setting = readonly [name: string, value: string];

export type ScopeParts = {
  readonly readOnly: boolean;
  readonly searchPath: string;
  /** The impersonated role's own settings. */
  readonly roleSettings: readonly Setting[];
  readonly role: string;
  readonly claims: string;
  readonly method: string;
  readonly path: string;
  /** JSON objects. */
  readonly headers: string;
  readonly cookies: string;
  readonly timezone: string | undefined;
  /** Hoisted settings of a function. */
  readonly routineSettings: readonly Setting[];
  readonly appSettings: readonly Setting[];
  /** A function, called as the caller when all is set; what it raises refuses the request. */
  readonly check?: string | undefined;
};

/**
 * The same for a connection instead of a transaction, for what ends transactions by itself; and what undoes it. Whoever sets it holds
 * the connection, and gives it back only when it is undone.
 */
export function sessionScope(
  parts: ScopeParts,
  more: readonly string[],
): { readonly set: Statement; readonly undo: Batch } {
  const { roleSettings, timezone, routineSettings, appSettings } = parts;
  const after: Setting[] = [
    ...(timezone === undefined ? [] : [['timezone', timezone] as const]),
    ...routineSettings,
    ...appSettings,
  ];
  const { params } = scopeStatement(parts, false);
  const names = [roleSettings.map(([name]) => name), after.map(([name]) => name)];
  const all = [...names.flat(), 'search_path', ...REQUEST, ...more];
  return {
    set: { text: scopeText(names, false, parts.check, 'session').text, params, ignoreRows: true },
    // The role first: whatever follows, nobody else gets it.
    undo: ['reset role', ...new Set(all.map((name) => `reset ${name.split('.').map(quoteIdent).join('.')}`))].map(
      (text) => ({ text, params: [] }),
    ),
  };
}

const REQUEST = ['request.jwt.claims', 'request.method', 'request.path', 'request.headers', 'request.cookies'];

type Text = { readonly text: string; readonly name: string };

let texts = 0;

const plain: { readonly readOnly: Text; readonly readWrite: Text } = {
  readOnly: scopeText([], true),
  readWrite: scopeText([], false),
};
const extended = new Map<string, Text>();
/** Sets of optional settings are few; a flood of them (there is none a client could cause) would only be slower. */
const MAX_TEXTS = 500;

/**
 * The order counts where one setting bears on the next: the role's own settings are applied while still being the
 * authenticator, and a function's override the role's.
 */
export function scopeStatement(parts: ScopeParts, prepared: boolean): Statement {
  const { roleSettings, timezone, routineSettings, appSettings, check } = parts;
  const params = [parts.searchPath, parts.role, parts.claims, parts.method, parts.path, parts.headers, parts.cookies];
  let text = parts.readOnly ? plain.readOnly : plain.readWrite;
  if (
    roleSettings.length > 0 ||
    timezone !== undefined ||
    routineSettings.length > 0 ||
    appSettings.length > 0 ||
    check !== undefined
  ) {
    const after: Setting[] = [
      ...(timezone === undefined ? [] : [['timezone', timezone] as const]),
      ...routineSettings,
      ...appSettings,
    ];
    text = extendedText(roleSettings, after, parts.readOnly, check);
    for (const [, value] of roleSettings) params.push(value);
    for (const [, value] of after) params.push(value);
  }
  // What set_config returns is what it was given.
  return prepared
    ? { text: text.text, params, ignoreRows: true, name: text.name }
    : { text: text.text, params, ignoreRows: true };
}

function extendedText(
  before: readonly Setting[],
  after: readonly Setting[],
  readOnly: boolean,
  check: string | undefined,
): Text {
  const key = `${readOnly}\u0000${check ?? ''}\u0001${before.map(([name]) => name).join('\u0000')}\u0001${after.map(([name]) => name).join('\u0000')}`;
  let text = extended.get(key);
  if (text === undefined) {
    if (extended.size >= MAX_TEXTS) extended.clear();
    text = scopeText([before.map(([name]) => name), after.map(([name]) => name)], readOnly, check);
    extended.set(key, text);
  }
  return text;
}

function scopeText(
  [before = [], after = []]: readonly (readonly string[])[],
  readOnly: boolean,
  check: string | undefined = undefined,
  lasts: 'transaction' | 'session' = 'transaction',
): Text {
  const base = ['search_path', 'role', ...REQUEST];
  const local = lasts === 'transaction';
  const set = (name: string, index: number): string => `set_config(${quoteLiteral(name)}, $${index}, ${local})`;
  const [searchPath, ...request] = base.map((name, i) => set(name, i + 1));
  const roleSettings = before.map((name, i) => set(name, base.length + 1 + i));
  const last = after.map((name, i) => set(name, base.length + before.length + 1 + i));
  const mode = readOnly ? [`set_config('transaction_read_only', 'on', true)`] : [];
  const checks = check === undefined ? [] : [check];
  texts += 1;
  return {
    text: `select ${[...mode, searchPath, ...roleSettings, ...request, ...last, ...checks].join(', ')}`,
    name: `scope_${texts}`,
  };
}
