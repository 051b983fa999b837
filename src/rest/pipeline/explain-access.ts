// `Prefer: explain=access`, for the roles of `db-explain-roles`: why the caller saw, or was let write, what they did. What was answered stays as
// it is: the words are a header, and the hint of a refusal.

import type { HttpReply } from '../../http/http-message.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { type ScopeParts, scopeStatement } from '../../pg/scope.ts';
import type { RestError } from '../errors/rest-error.ts';
import { isColumnar } from '../plan/columnar.ts';
import type { QueryPlan, ReadNode } from '../plan/plan.ts';
import { MAX_COUNTED, sightSql } from '../query/sight-sql.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { type AccessCase, type AccessVerb, accessWords } from '../response/access-words.ts';
import { askAccess } from '../run/ask-access.ts';
import { fillParams } from '../run/fill-params.ts';
import type { Identifier } from '../schema-cache/schema-cache.ts';
import type { Exchange } from './exchange.ts';
import { limits } from './fill-statement.ts';
import type { RestState } from './state.ts';

export type Explained = {
  readonly request: ApiRequest;
  readonly plan: QueryPlan;
  readonly scope: ScopeParts;
  readonly affected: number | undefined;
};

/** Whether the caller asks for it, and may. */
export function explainsAccess(
  { preferences }: ApiRequest,
  plan: QueryPlan,
  role: string,
  { config }: RestState,
): boolean {
  return (
    preferences.explain === 'access' &&
    plan.kind !== 'call' &&
    // Its rows may still be under way when the words would be asked for.
    !isColumnar(plan.media.format) &&
    config.dbExplainRoles.includes(role)
  );
}

const PERMISSION_DENIED = '42501';

export async function explainRefusal(exchange: Exchange, about: Explained, error: RestError): Promise<RestError> {
  if (error.kind !== 'sql' || error.sqlstate !== PERMISSION_DENIED || error.hint !== null) return error;
  const words = await wordsFor(exchange, about, true);
  return words.length === 0 ? error : { ...error, hint: words.join(' ') };
}

export async function explainReply(
  exchange: Exchange,
  about: Explained,
  reply: Result<HttpReply, RestError>,
): Promise<Result<HttpReply, RestError>> {
  if (!reply.ok) return reply;
  const words = await wordsFor(exchange, about, false);
  if (words.length === 0) return reply;
  const applied = reply.value.headers.find(([name]) => name === APPLIED)?.[1];
  return ok({
    ...reply.value,
    headers: [
      ...reply.value.headers.filter(([name]) => name !== APPLIED),
      [APPLIED, applied === undefined ? 'explain=access' : `${applied}, explain=access`],
      ['Access-Explanation', headerText(words)],
    ],
  });
}

const APPLIED = 'Preference-Applied';
/** Clients and proxies stop reading heads somewhere from 8 KiB on. */
const LONGEST_HEADER = 6000;

/** A JSON array of texts, in ASCII. */
function headerText(words: readonly string[]): string {
  const kept: string[] = [];
  let length = 2;
  for (const sentence of words) {
    const text = JSON.stringify(sentence).replace(/[\u007f-\uffff]/g, escaped);
    length += text.length + 1;
    if (length > LONGEST_HEADER) return `[${[...kept, '"(There is more than a header can hold.)"'].join()}]`;
    kept.push(text);
  }
  return `[${kept.join()}]`;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

async function wordsFor(exchange: Exchange, about: Explained, refused: boolean): Promise<readonly string[]> {
  const { state, driver, signal } = exchange;
  const { request, plan } = about;
  const { cache, config } = state;
  if (cache === undefined) return [];
  const found = refused ? undefined : sightSql(plan, ({ schema, name }) => cache.table(schema, name));
  const sight = found === undefined ? undefined : { text: found.text, params: fillParams(found.params, request) };
  const prepared = config.dbPreparedStatements;
  const scope = { ...about.scope, readOnly: true };
  const before = state.preRequest;
  const access = await askAccess(
    {
      caller: [scopeStatement(scope, prepared), ...(before === undefined ? [] : [before])],
      // Not the operator's function: it judges callers.
      everyone: [scopeStatement({ ...scope, role: config.dbExplainAs ?? 'none' }, prepared)],
      relations: relationsOf(plan),
      sight,
    },
    driver,
    { ...limits(state), ...(signal === undefined ? {} : { signal }) },
  );
  return access === undefined ? [] : accessWords(access, { ...caseOf(about), refused });
}

function caseOf({ plan, affected, request }: Explained): Omit<AccessCase, 'refused'> {
  return { verbs: verbsOf(plan, request), written: writtenBy(plan), affected, maxCounted: MAX_COUNTED };
}

function verbsOf(plan: QueryPlan, { query, preferences }: ApiRequest): readonly AccessVerb[] {
  if (plan.kind !== 'mutate') return ['SELECT'];
  const { change } = plan;
  const reads: readonly AccessVerb[] =
    plan.tree !== undefined || query.filters.length > 0 || query.logic.length > 0 ? ['SELECT'] : [];
  switch (change.kind) {
    case 'insert':
      return change.conflict?.resolve === 'merge' ? ['INSERT', 'UPDATE', ...reads] : ['INSERT', ...reads];
    case 'nested':
      return preferences.resolution === 'merge-duplicates' ? ['INSERT', 'UPDATE', ...reads] : ['INSERT', ...reads];
    case 'delete':
      return ['DELETE', ...reads];
    default:
      return ['UPDATE', ...reads];
  }
}

function writtenBy(plan: QueryPlan): readonly string[] {
  if (plan.kind !== 'mutate' || plan.change.kind === 'delete') return [];
  const columns = plan.change.kind === 'nested' ? plan.change.root.columns : plan.change.columns;
  return columns.map(({ column }) => column.name);
}

const MAX_RELATIONS = 10;

function relationsOf(plan: QueryPlan): readonly Identifier[] {
  const found = new Map<string, Identifier>();
  const add = ({ schema, name }: Identifier): void => {
    if (found.size < MAX_RELATIONS) found.set(`${schema}\0${name}`, { schema, name });
  };
  const walk = ({ from, embeds }: ReadNode): void => {
    if (from.kind === 'relation') add(from.relation);
    for (const { node } of embeds) walk(node);
  };
  if (plan.kind === 'mutate') add(plan.change.table);
  if (plan.tree !== undefined) walk(plan.tree);
  return [...found.values()];
}
