// Why a caller sees, or may write, what they do, in words: facts of the database in, sentences out.

import type { Access, AccessFacts, AccessPolicy, Sight } from '../run/ask-access.ts';

export type AccessVerb = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

export type AccessCase = {
  /** What the request does with the first relation; the others are read. */
  readonly verbs: readonly AccessVerb[];
  /** Columns that it writes. */
  readonly written: readonly string[];
  /** Rows that were written; undefined: none was to be, or it failed. */
  readonly affected: number | undefined;
  /** It was refused: only what refuses is of interest. */
  readonly refused: boolean;
  readonly maxCounted: number;
};

export function accessWords(access: Access, about: AccessCase): readonly string[] {
  const [first, ...others] = access.facts;
  if (first === undefined) return [];
  return [
    ...grantWords(first, about.verbs, about.written),
    ...policyWords(first, about.verbs, about.refused),
    ...(about.refused ? [] : sightWords(first, access, about)),
    ...others.flatMap((other) => [
      ...grantWords(other, ['SELECT'], []),
      ...(other.hasPolicies || other.kind === 'v' ? policyWords(other, ['SELECT'], about.refused) : []),
    ]),
  ];
}

function nameOf({ schema, name }: AccessFacts): string {
  return `${schema}.${name}`;
}

function grantWords(facts: AccessFacts, verbs: readonly AccessVerb[], written: readonly string[]): readonly string[] {
  const { role } = facts;
  const words: string[] = [];
  if (!facts.mayEnter) words.push(`The role ${role} has no USAGE on the schema ${facts.schema}.`);
  for (const verb of verbs) {
    if (facts.privileges.includes(verb)) continue;
    const columns = facts.columnPrivileges.flatMap((granted) =>
      granted.startsWith(`${verb} `) ? [granted.slice(verb.length + 1)] : [],
    );
    const lacking = verb === 'SELECT' ? [] : written.filter((column) => !columns.includes(column));
    if (columns.length === 0) words.push(`The role ${role} has no ${verb} on ${nameOf(facts)}: no grant gives it.`);
    else
      words.push(
        `The role ${role} has ${verb} on these columns of ${nameOf(facts)} alone: ${columns.join(', ')}${lacking.length === 0 ? '' : `; not on ${lacking.join(', ')}`}.`,
      );
  }
  return words;
}

const COMMANDS: Readonly<Record<AccessVerb, AccessPolicy['command']>> = {
  SELECT: 'r',
  INSERT: 'a',
  UPDATE: 'w',
  DELETE: 'd',
};

function policyWords(facts: AccessFacts, verbs: readonly AccessVerb[], refused: boolean): readonly string[] {
  const { role, owner, policies } = facts;
  const name = nameOf(facts);
  if (facts.kind === 'v')
    return [
      facts.asInvoker
        ? `${name} is a view that reads its tables as ${role} (security_invoker): their grants and policies decide.`
        : `${name} is a view that reads its tables as its owner ${owner}: grants and policies of ${owner} decide on its rows.`,
    ];
  if (!facts.hasPolicies) return refused ? [] : [`${name} has no row-level security: grants alone decide.`];
  if (!facts.isSecured)
    return refused
      ? []
      : [`Row-level security on ${name} does not hold for ${role}: it is the owner, a superuser, or has BYPASSRLS.`];
  return verbs.map((verb) => {
    const own = policies.filter(({ command }) => command === '*' || command === COMMANDS[verb]);
    const permissive = own.filter((policy) => policy.permissive);
    const restrictive = own.filter((policy) => !policy.permissive);
    if (permissive.length === 0)
      return `Row-level security on ${name}: no permissive policy for ${verb} is for ${role}, so that no row is.`;
    const one = permissive.map((policy) => shown(policy, verb)).join(', ');
    const all = restrictive.map((policy) => shown(policy, verb)).join(', ');
    return `Row-level security on ${name}: ${verb} as ${role} needs ${permissive.length === 1 ? 'the policy' : 'one of the policies'} ${one}${all === '' ? '' : `, and all of the restrictive ${all}`}.`;
  });
}

function shown({ name, using, check }: AccessPolicy, verb: AccessVerb): string {
  const parts = [
    ...(verb === 'INSERT' || using === null ? [] : [`using ${using}`]),
    ...(verb === 'INSERT' || verb === 'UPDATE' ? [`check ${check ?? using ?? 'true'}`] : []),
  ];
  return `"${name}" (${parts.length === 0 ? 'using true' : parts.join(', ')})`;
}

function sightWords(facts: AccessFacts, { caller, everyone }: Access, about: AccessCase): readonly string[] {
  const name = nameOf(facts);
  const most = about.maxCounted;
  const words: string[] = [];
  if (facts.bytes === 0 || everyone?.any === false) return [`${name} is empty, for everyone.`];
  if (everyone !== undefined && caller !== undefined) words.push(comparedWords(facts, caller, everyone, most));
  else if (caller !== undefined || facts.kind !== 'v')
    words.push(
      `Nobody who sees all rows of ${name} could be asked about them${facts.rows === null ? '' : `; by the statistics there are about ${facts.rows}`}. The setting db-explain-as names a role for that.`,
    );
  const { affected } = about;
  if (affected !== undefined && caller !== undefined && affected < caller.matching)
    words.push(
      `${facts.role} sees ${counted(caller.matching, most)} that match, and ${affected} of them were written: the policies for it, or a trigger, left out the others.`,
    );
  return words;
}

function comparedWords({ role, ...facts }: AccessFacts, caller: Sight, everyone: Sight, most: number): string {
  const name = `${facts.schema}.${facts.name}`;
  if (everyone.matching === 0) return `No row of ${name} matches the filters, whoever asks.`;
  if (caller.matching === 0 && everyone.matching === 1)
    return `1 row of ${name} matches the filters; ${role} does not see it.`;
  if (caller.matching === 0)
    return `${counted(everyone.matching, most)} of ${name} match the filters; ${role} sees none of them.`;
  if (caller.matching > most) return `${role} sees more than ${most} of the rows of ${name} that match.`;
  if (caller.matching >= everyone.matching) return `${role} sees all rows of ${name} that match the filters.`;
  return `${counted(everyone.matching, most)} of ${name} match the filters; ${role} sees ${caller.matching} of them.`;
}

function counted(rows: number, most: number): string {
  return rows > most ? `more than ${most} rows` : `${rows} ${rows === 1 ? 'row' : 'rows'}`;
}
