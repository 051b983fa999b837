// Limits that owners set on what callers may ask for: `@survest limit …` in the comment on a relation, or on a role. Comments in, rules out,
// and what of them could not be understood. A comment rather than a table of ours: only the owner can write it, it is dumped and restored
// with what it is about, and a reload reads it anyway.

import type { RoleLimitRow } from './catalogue-rows.ts';
import { type ReadComment, readComment } from './directives.ts';
import type { Omission } from './omission.ts';

export type LimitRule = {
  /** Where it is written: `the comment on diary.pages`. */
  readonly where: string;
  /** The roles that it is for; undefined: all. */
  readonly roles?: readonly string[];
  /** Most rows of an answer. */
  readonly rows?: number;
  /** How many levels of embeds. */
  readonly depth?: number;
  /** Columns that may be filtered by, or ordered by. */
  readonly filter?: readonly string[];
  readonly order?: readonly string[];
  readonly operators?: readonly string[];
  /** In units of the planner. */
  readonly cost?: number;
  readonly rate?: LimitRate;
};

export type LimitRate = { readonly requests: number; readonly perSeconds: number };

export type ReadLimits = { readonly rules: readonly LimitRule[]; readonly omissions: readonly Omission[] };

const LIMIT = 'limit';
const NUMBER = /^\d{1,12}$/;
const RATE = /^([1-9]\d{0,8})\/(s|min|h)$/;
const SECONDS = { s: 1, min: 60, h: 3600 } as const;

/** `on`: names the object; `others`: directives that somebody else reads. */
export function readLimits(
  { directives }: ReadComment,
  on: string,
  others: ReadonlySet<string> = new Set(),
): ReadLimits {
  const rules: LimitRule[] = [];
  const omissions: Omission[] = [];
  const where = `the comment on ${on}`;
  for (const { word, rest } of directives) {
    if (others.has(word)) continue;
    if (word !== LIMIT) {
      omissions.push({ what: `@survest ${word} in ${where}`, why: 'no such thing is known here' });
      continue;
    }
    let rule: LimitRule = { where };
    for (const part of rest.split(' ').filter((one) => one !== '')) {
      const read = readPart(part);
      if (read === undefined) omissions.push({ what: `${part} in ${where}`, why: 'it is no limit that is known' });
      else rule = { ...rule, ...read };
    }
    rules.push(rule);
  }
  return { rules, omissions };
}

function readPart(part: string): Partial<LimitRule> | undefined {
  const equals = part.indexOf('=');
  const [name, value] = [part.slice(0, equals), part.slice(equals + 1)];
  switch (name) {
    case 'role':
      return { roles: namesIn(value) };
    case 'rows':
    case 'depth':
    case 'cost':
      return NUMBER.test(value) ? { [name]: Number(value) } : undefined;
    case 'filter':
    case 'order':
    case 'operators':
      return { [name]: value === 'none' ? [] : namesIn(value) };
    case 'rate': {
      const [, requests, unit] = RATE.exec(value) ?? [];
      if (unit !== 's' && unit !== 'min' && unit !== 'h') return undefined;
      return { rate: { requests: Number(requests), perSeconds: SECONDS[unit] } };
    }
    default:
      return undefined;
  }
}

function namesIn(value: string): readonly string[] {
  return value.split(',').filter((name) => name !== '');
}

export type RoleLimits = {
  readonly byRole: ReadonlyMap<string, readonly LimitRule[]>;
  readonly omissions: readonly Omission[];
};

export function readRoleLimits(rows: readonly RoleLimitRow[]): RoleLimits {
  const byRole = new Map<string, readonly LimitRule[]>();
  const omissions: Omission[] = [];
  for (const { role, description } of rows) {
    const read = readLimits(readComment(description), `the role ${role}`);
    if (read.rules.length > 0) byRole.set(role, read.rules);
    omissions.push(...read.omissions);
  }
  return { byRole, omissions };
}
