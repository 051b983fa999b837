// Path and method to what is to be done with what. In: the raw path, the method, two settings. Out: target and action,
// or that there are none such.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { RestConfig } from '../config/config.ts';
import { decodePathSegment } from './form-decoding.ts';
import type { RequestError } from './request-error.ts';

export type Target =
  | { readonly kind: 'root' }
  | { readonly kind: 'relation'; readonly name: string }
  | { readonly kind: 'routine'; readonly name: string };

export type Action =
  | { readonly kind: 'read'; readonly headOnly: boolean }
  | { readonly kind: 'insert' }
  | { readonly kind: 'update' }
  /** PUT: one row, named by its whole primary key. */
  | { readonly kind: 'upsert-one' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'call'; readonly by: 'get' | 'head' | 'post' }
  | { readonly kind: 'describe'; readonly headOnly: boolean }
  /** OPTIONS: answered without the database. */
  | { readonly kind: 'info' };

const ROOT: Target = { kind: 'root' };

/** `/`, `/relation`, `/rpc/routine`; nothing else is a path. */
export function parsePath(
  path: string,
  config: Pick<RestConfig, 'openapiMode' | 'dbRootSpec'>,
): Result<Target, RequestError> {
  const from = path.startsWith('/') ? 1 : 0;
  if (path.length === from) return rootTarget(config);
  const slash = path.indexOf('/', from);
  if (slash < 0) return ok({ kind: 'relation', name: decodePathSegment(path.slice(from)) });
  const isCall = decodePathSegment(path.slice(from, slash)) === 'rpc' && path.indexOf('/', slash + 1) < 0;
  if (!isCall) return err({ kind: 'path-invalid' });
  return ok({ kind: 'routine', name: decodePathSegment(path.slice(slash + 1)) });
}

function rootTarget({
  openapiMode,
  dbRootSpec,
}: Pick<RestConfig, 'openapiMode' | 'dbRootSpec'>): Result<Target, RequestError> {
  if (openapiMode === 'disabled') return err({ kind: 'root-disabled' });
  if (dbRootSpec === undefined) return ok(ROOT);
  // The function is looked for in the request's schema, whatever schema the setting names.
  return ok({ kind: 'routine', name: unqualified(dbRootSpec) });
}

/** `f` of `s.f` and of `"s"."f"`. */
function unqualified(name: string): string {
  const quoted = /^(?:(?:"(?:[^"]|"")*"|[^".]+)\.)?"((?:[^"]|"")*)"$/.exec(name);
  if (quoted !== null) return (quoted[1] ?? '').replaceAll('""', '"');
  return name.slice(name.lastIndexOf('.') + 1);
}

export function chooseAction(method: string, target: Target): Result<Action, RequestError> {
  const action = ACTIONS[target.kind].get(method);
  if (action !== undefined) return ok(action);
  return err(
    target.kind === 'routine'
      ? { kind: 'method-not-for-routines', method }
      : { kind: 'method-not-supported', method, on: target.kind },
  );
}

const ACTIONS: { readonly [Kind in Target['kind']]: ReadonlyMap<string, Action> } = {
  relation: new Map<string, Action>([
    ['GET', { kind: 'read', headOnly: false }],
    ['HEAD', { kind: 'read', headOnly: true }],
    ['QUERY', { kind: 'read', headOnly: false }],
    ['POST', { kind: 'insert' }],
    ['PUT', { kind: 'upsert-one' }],
    ['PATCH', { kind: 'update' }],
    ['DELETE', { kind: 'delete' }],
    ['OPTIONS', { kind: 'info' }],
  ]),
  routine: new Map<string, Action>([
    ['GET', { kind: 'call', by: 'get' }],
    ['HEAD', { kind: 'call', by: 'head' }],
    ['QUERY', { kind: 'call', by: 'get' }],
    ['POST', { kind: 'call', by: 'post' }],
    ['OPTIONS', { kind: 'info' }],
  ]),
  root: new Map<string, Action>([
    ['GET', { kind: 'describe', headOnly: false }],
    ['HEAD', { kind: 'describe', headOnly: true }],
    ['OPTIONS', { kind: 'info' }],
  ]),
};
