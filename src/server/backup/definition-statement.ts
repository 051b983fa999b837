// Statements of a backup that make the tables of layers, looked at before any of them is run: a closed list of kinds, about tables in the schema `layers`
// alone, whose expressions call functions of a closed list. A backup is a file that somebody else may have written, and it is restored with all rights.

import { GEOMETRY_FUNCTIONS, NO_FUNCTIONS, PLAIN_FUNCTIONS } from './definition-functions.ts';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

type Table = {
  /** Of the table, in the schema `layers`. */
  readonly name: string;
  readonly postgisSchema: string;
};

const LAYERS = 'layers';
const MAX_LENGTH = 1_000_000;

/** Whose functions triggers of a layer call. */
const TRIGGER_SCHEMAS: ReadonlySet<string> = new Set(['portal', 'portal_private', 'survest_live']);
const SEQUENCE_WORDS: ReadonlySet<string> = new Set(
  'as smallint integer bigint increment by minvalue maxvalue start with cache cycle sequence name'.split(' '),
);
const PRIVILEGES: ReadonlySet<string> = new Set(
  'select insert update delete truncate references trigger usage maintain'.split(' '),
);
const PERSISTENCE = ['create', 'unlogged', 'table'];

/** Undefined: it is one of the statements that a backup has. Else why not. */
export function definitionFault(sql: string, table: Table): string | undefined {
  return faultOf(sql, (tokens) => new Statement(tokens, table).isKnown());
}

/** The same for a grant to this role. */
export function grantFault(sql: string, role: string, table: Table): string | undefined {
  return faultOf(sql, (tokens) => new Statement(tokens, table).isGrantTo(role));
}

function faultOf(sql: string, isKnown: (tokens: readonly SqlToken[]) => boolean): string | undefined {
  const tokens = sql.length > MAX_LENGTH ? undefined : sqlTokens(sql);
  try {
    if (tokens !== undefined && isKnown(tokens)) return undefined;
  } catch (cause) {
    if (cause instanceof Refused) return cause.message;
    throw cause;
  }
  return `the statement "${sql.slice(0, 100)}" is none that a backup has`;
}

class Refused extends Error {}

/** One statement, read from its beginning. */
class Statement {
  readonly #tokens: readonly SqlToken[];
  readonly #table: Table;
  #at = 0;

  constructor(tokens: readonly SqlToken[], table: Table) {
    this.#tokens = tokens;
    this.#table = table;
  }

  isKnown(): boolean {
    if (this.#take('create', 'sequence')) return this.#isOfLayers() && this.#isShape();
    if (this.#take('create', 'table') || this.#take(...PERSISTENCE)) return this.#isOwn() && this.#isTable();
    if (this.#take('alter', 'sequence'))
      return this.#isOfLayers() && this.#take('owned', 'by') && this.#isOwn() && this.#isColumn() && this.#isEnd();
    if (this.#take('create', 'index') || this.#take('create', 'unique', 'index')) return this.#isIndex();
    if (this.#take('comment', 'on')) return this.#isComment();
    if (this.#take('create', 'trigger') || this.#take('create', 'constraint', 'trigger')) return this.#isTrigger();
    if (this.#take('create', 'policy')) return this.#isPolicy();
    return this.#take('alter', 'table') && this.#isChange();
  }

  isGrantTo(role: string): boolean {
    const isRole = (): boolean => (role === 'public' ? this.#take('public') : this.#name() === role);
    if (this.#take('alter', 'table'))
      return this.#isOwn() && this.#take('owner', 'to') && this.#name() === 'survest_authenticator' && this.#isEnd();
    const privilege = this.#take('grant') ? this.#next() : undefined;
    if (privilege?.kind !== 'word' || !PRIVILEGES.has(privilege.text)) return false;
    if (this.#isSign('(')) this.#inBrackets((tokens) => tokens.every(isIdentifier));
    if (!this.#take('on')) return false;
    if (this.#take('sequence') ? !this.#isOfLayers() : !this.#isOwn()) return false;
    return this.#take('to') && isRole() && (this.#isEnd() || (this.#take('with', 'grant', 'option') && this.#isEnd()));
  }

  #isShape(): boolean {
    return this.#rest().every(isShape);
  }

  #isTable(): boolean {
    this.#inBrackets((tokens) => listOf(tokens).every((column) => this.#isColumnDefinition(column)));
    if (this.#take('partition', 'by')) {
      if (!this.#take('range') && !this.#take('list') && !this.#take('hash')) return false;
      this.#inBrackets((tokens) => this.#isHarmless(tokens, false));
    }
    if (this.#take('with')) this.#inBrackets((tokens) => !tokens.some((token) => isSign(token, '(')));
    return this.#isEnd();
  }

  /** A name, a type, and what a column is by default. */
  #isColumnDefinition([name, ...tokens]: readonly SqlToken[]): boolean {
    if (name === undefined || !isIdentifier(name) || isWord(name, 'like', 'constraint')) return false;
    const end = tokens.findIndex((token) => isWord(token, 'collate', 'default', 'generated', 'not'));
    const type = end < 0 ? tokens : tokens.slice(0, end);
    const isType = type.length > 0 && type.every((token) => isIdentifier(token) || isTypeMark(token));
    const rest = end < 0 ? [] : tokens.slice(end);
    const identity = rest.findIndex((token) => isWord(token, 'identity'));
    if (!isType || identity < 0) return isType && this.#isHarmless(rest, false);
    // generated … as identity (sequence name layers.x increment by …) not null
    return rest.every((token) => isShape(token) || isIdentifier(token) || isSign(token, '(', ')', '.'));
  }

  #isChange(): boolean {
    const start = this.#at;
    if (this.#isOfLayers() && this.#take('attach', 'partition'))
      return this.#isOwn() && this.#isHarmless(this.#rest(), false);
    this.#at = start;
    if (!this.#isOwn()) return false;
    if (this.#take('inherit')) return this.#isOfLayers() && this.#isEnd();
    if (this.#take('enable', 'row') || this.#take('force', 'row'))
      return this.#take('level', 'security') && this.#isEnd();
    if (this.#take('disable') || this.#take('enable', 'replica') || this.#take('enable', 'always'))
      return this.#take('trigger') && this.#name() !== undefined && this.#isEnd();
    if (!this.#take('add', 'constraint') || this.#name() === undefined) return false;
    if (this.#take('foreign', 'key'))
      return this.#rest().every((token) => isIdentifier(token) || isSign(token, '(', ')', ',', '.'));
    const [first] = this.#rest();
    return (
      first !== undefined &&
      isWord(first, 'primary', 'unique', 'check', 'exclude') &&
      this.#isHarmless(this.#rest(), false)
    );
  }

  #isIndex(): boolean {
    if (this.#name() === undefined || !this.#take('on')) return false;
    this.#take('only');
    if (!this.#isOwn() || !this.#take('using') || this.#name() === undefined) return false;
    return this.#isSign('(') && this.#isHarmless(this.#rest(), false);
  }

  #isComment(): boolean {
    const isColumn = this.#take('column');
    if (!isColumn && !this.#take('table')) return false;
    if (!this.#isOwn() || (isColumn && !this.#isColumn()) || !this.#take('is')) return false;
    const said = this.#next();
    return (said?.kind === 'string' || (said !== undefined && isWord(said, 'null'))) && this.#isEnd();
  }

  /** … on layers.x … [when (…)] execute function portal.f('1') */
  #isTrigger(): boolean {
    if (this.#name() === undefined) return false;
    const head = this.#until((token) => isWord(token, 'on'));
    if (!head.every((token) => isIdentifier(token) || isSign(token, ',')) || !this.#take('on') || !this.#isOwn())
      return false;
    const rows = this.#until((token) => isWord(token, 'when') || isWord(token, 'execute'));
    const when = this.#until((token) => isWord(token, 'execute'));
    if (!rows.every(isIdentifier) || !this.#isHarmless(when, false) || !this.#take('execute')) return false;
    if (!this.#take('function') && !this.#take('procedure')) return false;
    const [schema, dot, name] = [this.#name(), this.#next(), this.#name()];
    if (schema === undefined || name === undefined || dot === undefined || !isSign(dot, '.')) return false;
    if (!TRIGGER_SCHEMAS.has(schema))
      throw new Refused(`a trigger calls the function ${schema}.${name}, which is not the portal's`);
    this.#inBrackets((tokens) => tokens.every((token) => token.kind === 'string' || isSign(token, ',')));
    return this.#isEnd();
  }

  #isPolicy(): boolean {
    if (this.#name() === undefined || !this.#take('on') || !this.#isOwn()) return false;
    const whom = this.#until((token) => isWord(token, 'using') || isWord(token, 'with'));
    return whom.every((token) => isIdentifier(token) || isSign(token, ',')) && this.#isHarmless(this.#rest(), true);
  }

  /** Every function that is called is one of the list. Policies are asked as the caller, never as who restores: they ask the portal. */
  #isHarmless(tokens: readonly SqlToken[], isPolicy: boolean): boolean {
    let depth = 0;
    for (const [i, token] of tokens.entries()) {
      if (isSign(token, '(')) depth += 1;
      if (isSign(token, ')')) depth -= 1;
      if (depth < 0) return false;
      if (token.kind === 'word' && QUERIES.has(token.text) && !(isPolicy && token.text === 'select')) return false;
      const opens = tokens[i + 1];
      if (opens !== undefined && isSign(opens, '(') && isIdentifier(token)) this.#checkCall(tokens, i, isPolicy);
    }
    return depth === 0;
  }

  #checkCall(tokens: readonly SqlToken[], at: number, isPolicy: boolean): void {
    const name = tokens[at]?.text ?? '';
    const isQualified = at > 1 && isSign(tokens[at - 1], '.');
    const schema = isQualified ? (tokens[at - 2]?.text ?? '') : 'pg_catalog';
    const before = tokens[isQualified ? at - 3 : at - 1];
    const isType = isSign(before, '::');
    if (isType || (!isQualified && tokens[at]?.kind === 'word' && NO_FUNCTIONS.has(name))) return;
    if (isPolicy && (schema === 'portal' || (!isQualified && name === 'select'))) return;
    const isKnown =
      (schema === 'pg_catalog' && PLAIN_FUNCTIONS.has(name)) ||
      (schema === this.#table.postgisSchema && GEOMETRY_FUNCTIONS.has(name));
    if (!isKnown || isSign(before, '.'))
      throw new Refused(
        `the table ${LAYERS}.${this.#table.name} calls the function ${isQualified ? `${schema}.` : ''}${name}, which is none that a backup keeps`,
      );
  }

  #isOwn(): boolean {
    return this.#take(LAYERS) && this.#takeSign('.') && this.#name() === this.#table.name;
  }

  #isOfLayers(): boolean {
    return this.#take(LAYERS) && this.#takeSign('.') && this.#name() !== undefined;
  }

  #isColumn(): boolean {
    return this.#takeSign('.') && this.#name() !== undefined;
  }

  #inBrackets(isGood: (tokens: readonly SqlToken[]) => boolean): void {
    const start = this.#at;
    let depth = 0;
    for (; this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (isSign(token, '(')) depth += 1;
      if (isSign(token, ')')) depth -= 1;
      if (depth <= 0) break;
    }
    const inside = this.#tokens.slice(start + 1, this.#at);
    if (!isSign(this.#tokens[start], '(') || !isSign(this.#next(), ')') || !isGood(inside))
      throw new Refused(`a definition of the table ${LAYERS}.${this.#table.name} is none that a backup has`);
  }

  #take(...words: readonly string[]): boolean {
    const isThere = words.every((word, i) => {
      const token = this.#tokens[this.#at + i];
      return token !== undefined && isWord(token, word);
    });
    if (isThere) this.#at += words.length;
    return isThere;
  }

  #takeSign(text: string): boolean {
    return isSign(this.#next(), text);
  }

  #isSign(text: string): boolean {
    return isSign(this.#tokens[this.#at], text);
  }

  #next(): SqlToken | undefined {
    this.#at += 1;
    return this.#tokens[this.#at - 1];
  }

  #name(): string | undefined {
    const token = this.#next();
    return token !== undefined && isIdentifier(token) ? token.text : undefined;
  }

  #until(isEnd: (token: SqlToken) => boolean): readonly SqlToken[] {
    const start = this.#at;
    while (this.#at < this.#tokens.length && !isEnd(this.#tokens[this.#at] as SqlToken)) this.#at += 1;
    return this.#tokens.slice(start, this.#at);
  }

  #rest(): readonly SqlToken[] {
    return this.#tokens.slice(this.#at);
  }

  #isEnd(): boolean {
    return this.#at === this.#tokens.length;
  }
}

/** What begins a query. Both are reserved words: a column of that name is quoted. */
const QUERIES: ReadonlySet<string> = new Set(['select', 'table']);

function isIdentifier({ kind }: SqlToken): boolean {
  return kind === 'word' || kind === 'name';
}

function isWord(token: SqlToken, ...words: readonly string[]): boolean {
  return token.kind === 'word' && words.includes(token.text);
}

function isSign(token: SqlToken | undefined, ...signs: readonly string[]): boolean {
  return token?.kind === 'sign' && signs.includes(token.text);
}

function isTypeMark(token: SqlToken): boolean {
  return token.kind === 'number' || isSign(token, '.', ',', '(', ')', '[', ']');
}

/** Of a sequence. */
function isShape(token: SqlToken): boolean {
  return token.kind === 'number' || isSign(token, '-') || (token.kind === 'word' && SEQUENCE_WORDS.has(token.text));
}

/** What stands between commas, but for those in brackets. */
function listOf(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const list: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, '(', '[')) depth += 1;
    if (isSign(token, ')', ']')) depth -= 1;
    if (depth === 0 && isSign(token, ',')) list.push([]);
    else list.at(-1)?.push(token);
  }
  return list.length === 1 && list[0]?.length === 0 ? [] : list;
}
