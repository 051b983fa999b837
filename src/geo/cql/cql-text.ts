// CQL2 as text → a filter: a reader by recursive descent over a list of tokens. Names of operators and functions are read without
// regard to case.

import { err, ok, type Result } from '../../kernel/result.ts';
import { type GeoGeometry, parseGeometry } from '../geojson.ts';
import {
  type Arithmetic,
  type Comparison,
  type CqlError,
  type Filter,
  isMoment,
  MAX_DEPTH,
  MAX_NODES,
  MAX_TEXT,
  type Scalar,
  SPATIAL,
  type Spatial,
  type SpatialRelation,
  TEMPORAL,
  type TemporalRelation,
  type When,
} from './cql.ts';
import { boxGeometry, ofExpression, Refused, readNumber } from './cql-json.ts';
import { arityComplaint, isFunctionName } from './functions.ts';

export function parseCqlText(text: string): Result<Filter, CqlError> {
  return parseText(text, (reader) => reader.filter(0));
}

/** A value of a row: `round(price * 1.19, 2)`. */
export function parseExpressionText(text: string): Result<Scalar, CqlError> {
  const parsed = parseText(text, (reader) => reader.expression(0));
  return parsed.ok ? parsed : err(ofExpression(parsed.error));
}

function parseText<T>(text: string, read: (reader: TextReader) => T): Result<T, CqlError> {
  if (text.length > MAX_TEXT) return err({ kind: 'bad-filter', said: 'the filter is too long' });
  try {
    const reader = new TextReader(tokens(text));
    const value = read(reader);
    reader.expectEnd();
    return ok(value);
  } catch (error) {
    if (error instanceof Refused) return err({ kind: 'bad-filter', said: error.message });
    throw error;
  }
}

type Token =
  | { readonly kind: 'word'; readonly text: string; readonly at: number }
  /** In double quotes. */
  | { readonly kind: 'name'; readonly text: string; readonly at: number }
  | { readonly kind: 'string'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number };

const TOKEN =
  /\s*(?:([\p{L}_][\p{L}\p{N}_.:]*)|"((?:[^"]|"")*)"|'((?:[^'\\]|''|\\.)*)'|(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(<>|<=|>=|[=<>()+\-*/%^,]))/uy;

function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  const end = text.trimEnd().length;
  let at = 0;
  while (at < end) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new Refused(`the filter cannot be read from character ${at + 1} on`);
    const [, word, name, string, number, sign] = match;
    if (word !== undefined) found.push({ kind: 'word', text: word, at });
    else if (name !== undefined) found.push({ kind: 'name', text: name.replaceAll('""', '"'), at });
    else if (string !== undefined) found.push({ kind: 'string', text: unescaped(string), at });
    else if (number !== undefined) found.push({ kind: 'number', text: number, at });
    else if (sign !== undefined) found.push({ kind: 'sign', text: sign, at });
    at = TOKEN.lastIndex;
    if (found.length > 4 * MAX_NODES + 20_000) throw new Refused('the filter has too many parts');
  }
  return found;
}

/** A quote stands twice or behind a backslash; other backslashes are for patterns of LIKE. */
function unescaped(string: string): string {
  return string.replaceAll("''", "'").replaceAll("\\'", "'");
}

const GEOMETRIES: ReadonlyMap<string, GeoGeometry['type']> = new Map([
  ['point', 'Point'],
  ['multipoint', 'MultiPoint'],
  ['linestring', 'LineString'],
  ['multilinestring', 'MultiLineString'],
  ['polygon', 'Polygon'],
  ['multipolygon', 'MultiPolygon'],
  ['geometrycollection', 'GeometryCollection'],
]);

class TextReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #nodes = 0;

  constructor(list: readonly Token[]) {
    this.#tokens = list;
  }

  expectEnd(): void {
    const token = this.#peek();
    if (token !== undefined) throw this.#unexpected(token);
  }

  filter(depth: number): Filter {
    this.#enter(depth);
    const parts = [this.#conjunction(depth + 1)];
    while (this.#takeWord('or')) parts.push(this.#conjunction(depth + 1));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'or', parts };
  }

  expression(depth: number): Scalar {
    return this.#sum(depth);
  }

  #conjunction(depth: number): Filter {
    this.#enter(depth);
    const parts = [this.#factor(depth + 1)];
    while (this.#takeWord('and')) parts.push(this.#factor(depth + 1));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'and', parts };
  }

  #factor(depth: number): Filter {
    this.#enter(depth);
    if (this.#takeWord('not')) return { kind: 'not', part: this.#factor(depth + 1) };
    const token = this.#peek();
    if (token?.kind === 'sign' && token.text === '(') {
      const start = this.#at;
      // A bracket may hold a filter or the beginning of a sum: the filter is tried first.
      try {
        this.#at += 1;
        const inner = this.filter(depth + 1);
        this.#expectSign(')');
        if (!this.#isOperatorNext()) return inner;
      } catch (error) {
        if (!(error instanceof Refused) || this.#nodes > MAX_NODES || depth > MAX_DEPTH - 2) throw error;
        const failed = error;
        this.#at = start;
        try {
          return this.#predicate(depth + 1);
        } catch {
          throw failed;
        }
      }
      this.#at = start;
    }
    return this.#predicate(depth + 1);
  }

  #isOperatorNext(): boolean {
    const token = this.#peek();
    if (token === undefined) return false;
    if (token.kind === 'sign') return token.text !== ')' && token.text !== ',';
    return token.kind === 'word' && /^(?:like|between|in|is)$/i.test(token.text);
  }

  #predicate(depth: number): Filter {
    this.#enter(depth);
    const token = this.#peek();
    if (token?.kind === 'word') {
      const word = token.text.toLowerCase();
      const isCall = this.#peek(1)?.text === '(' && this.#peek(1)?.kind === 'sign';
      if (isCall && SPATIAL.has(word)) {
        this.#at += 1;
        return this.#spatial(word as SpatialRelation, depth);
      }
      if (isCall && TEMPORAL.has(word)) {
        this.#at += 1;
        this.#expectSign('(');
        const left = this.#sum(depth + 1);
        this.#expectSign(',');
        const right = this.#sum(depth + 1);
        this.#expectSign(')');
        return { kind: 'temporal', op: word as TemporalRelation, left, right };
      }
    }
    const left = this.#sum(depth + 1);
    return this.#rest(left, depth);
  }

  #rest(left: Scalar, depth: number): Filter {
    const token = this.#peek();
    if (token?.kind === 'sign' && /^(?:=|<>|<|>|<=|>=)$/.test(token.text)) {
      this.#at += 1;
      return { kind: 'compare', op: token.text as Comparison, left, right: this.#sum(depth + 1) };
    }
    if (this.#takeWord('is')) {
      const isNot = this.#takeWord('not');
      if (!this.#takeWord('null')) throw this.#unexpected(this.#peek());
      return isNot ? { kind: 'not', part: { kind: 'null', value: left } } : { kind: 'null', value: left };
    }
    const isNot = this.#takeWord('not');
    const said = (filter: Filter): Filter => (isNot ? { kind: 'not', part: filter } : filter);
    if (this.#takeWord('like')) return said({ kind: 'like', left, pattern: this.#sum(depth + 1) });
    if (this.#takeWord('between')) {
      const low = this.#sum(depth + 1);
      if (!this.#takeWord('and')) throw this.#unexpected(this.#peek());
      return said({ kind: 'between', value: left, low, high: this.#sum(depth + 1) });
    }
    if (this.#takeWord('in')) {
      this.#expectSign('(');
      const list = [this.#sum(depth + 1)];
      while (this.#takeSign(',')) list.push(this.#sum(depth + 1));
      this.#expectSign(')');
      return said({ kind: 'in', value: left, list });
    }
    if (isNot) throw this.#unexpected(this.#peek());
    if (left.kind === 'truth') return left;
    if (left.kind === 'property' || left.kind === 'call' || left.kind === 'if') return { kind: 'holds', value: left };
    throw new Refused('the filter ends where a comparison was expected');
  }

  #sum(depth: number): Scalar {
    this.#enter(depth);
    let left = this.#product(depth + 1);
    for (;;) {
      const op = this.#takeAny(['+', '-']);
      if (op === undefined) return left;
      left = { kind: 'arithmetic', op, left, right: this.#product(depth + 1) };
    }
  }

  #product(depth: number): Scalar {
    this.#enter(depth);
    let left = this.#power(depth + 1);
    for (;;) {
      const op = this.#takeWord('div') ? 'div' : this.#takeAny(['*', '/', '%']);
      if (op === undefined) return left;
      left = { kind: 'arithmetic', op, left, right: this.#power(depth + 1) };
    }
  }

  #power(depth: number): Scalar {
    const left = this.#atom(depth + 1);
    return this.#takeAny(['^']) === undefined
      ? left
      : { kind: 'arithmetic', op: '^', left, right: this.#atom(depth + 1) };
  }

  #atom(depth: number): Scalar {
    this.#enter(depth);
    const token = this.#next();
    switch (token.kind) {
      case 'string':
        return { kind: 'text', value: token.text };
      case 'number':
        return readNumber(token.text);
      case 'name':
        return { kind: 'property', name: token.text };
      case 'sign':
        if (token.text === '-') return this.#negative(depth);
        if (token.text === '(') {
          const inner = this.#sum(depth + 1);
          this.#expectSign(')');
          return inner;
        }
        throw this.#unexpected(token);
      case 'word':
        return this.#word(token, depth);
    }
  }

  #negative(depth: number): Scalar {
    const token = this.#peek();
    if (token?.kind === 'number') {
      this.#at += 1;
      return readNumber(`-${token.text}`);
    }
    return { kind: 'arithmetic', op: '-', left: { kind: 'number', value: '0' }, right: this.#atom(depth + 1) };
  }

  #word(token: Token, depth: number): Scalar {
    const word = token.text.toLowerCase();
    if (word === 'true' || word === 'false') return { kind: 'truth', value: word === 'true' };
    if (!this.#takeSign('(')) return { kind: 'property', name: token.text };
    switch (word) {
      case 'casei':
      case 'accenti': {
        const of = this.#sum(depth + 1);
        this.#expectSign(')');
        return { kind: 'fold', what: word === 'casei' ? 'case' : 'accent', of };
      }
      case 'date':
      case 'timestamp': {
        const at = this.#moment();
        this.#expectSign(')');
        if (at === undefined) throw new Refused('a date or a timestamp in UTC was expected');
        return { kind: 'when', value: { kind: 'instant', at } };
      }
      case 'interval': {
        const from = this.#moment();
        this.#expectSign(',');
        const to = this.#moment();
        this.#expectSign(')');
        const value: When = { kind: 'interval', from, to };
        return { kind: 'when', value };
      }
      case 'if': {
        const when = this.filter(depth + 1);
        this.#expectSign(',');
        const yes = this.#sum(depth + 1);
        const no = this.#takeSign(',') ? this.#sum(depth + 1) : undefined;
        this.#expectSign(')');
        return { kind: 'if', when, yes, no };
      }
      default: {
        if (!isFunctionName(word))
          throw new Refused(`"${token.text.slice(0, 50)}" is not a function that is known here`);
        const args = this.#takeSign(')') ? [] : this.#arguments(depth + 1);
        const complaint = arityComplaint(word, args.length);
        if (complaint !== undefined) throw new Refused(complaint);
        return { kind: 'call', name: word, args };
      }
    }
  }

  #moment(): string | undefined {
    const token = this.#next();
    if (token.kind === 'string' && (token.text === '..' || token.text === '')) return undefined;
    if (token.kind !== 'string' || !isMoment(token.text))
      throw new Refused('a date or a timestamp in UTC was expected');
    return token.text;
  }

  #arguments(depth: number): readonly Scalar[] {
    const args = [this.#argument(depth)];
    while (this.#takeSign(',')) args.push(this.#argument(depth));
    this.#expectSign(')');
    return args;
  }

  #argument(depth: number): Scalar {
    const token = this.#peek();
    const isShape = token?.kind === 'word' && this.#peek(1)?.text === '(' && GEOMETRIES.has(token.text.toLowerCase());
    if (!isShape) return this.#sum(depth);
    const shape = this.#shape(depth);
    if (shape.kind !== 'geometry') throw this.#unexpected(token);
    return { kind: 'shape', value: shape.value };
  }

  #spatial(op: SpatialRelation, depth: number): Filter {
    this.#expectSign('(');
    const left = this.#shape(depth + 1);
    this.#expectSign(',');
    const right = this.#shape(depth + 1);
    this.#expectSign(')');
    return { kind: 'spatial', op, left, right };
  }

  #shape(depth: number): Spatial {
    this.#enter(depth);
    const token = this.#peek();
    if (token?.kind === 'name') {
      this.#at += 1;
      return { kind: 'property', name: token.text };
    }
    if (token?.kind !== 'word') throw this.#unexpected(token);
    const word = token.text.toLowerCase();
    if (this.#peek(1)?.text === '(' && (word === 'bbox' || word === 'envelope')) {
      this.#at += 2;
      const numbers = [this.#signed()];
      while (this.#takeSign(',')) numbers.push(this.#signed());
      this.#expectSign(')');
      return { kind: 'geometry', value: boxGeometry(numbers) };
    }
    if (!GEOMETRIES.has(word)) {
      this.#at += 1;
      return { kind: 'property', name: token.text };
    }
    const geometry = parseGeometry(this.#geometry(depth));
    if (!geometry.ok) throw new Refused(geometry.error.said);
    return { kind: 'geometry', value: geometry.value };
  }

  /** Well-known text: words and lists, checked as a geometry afterwards. */
  #geometry(depth: number): unknown {
    this.#enter(depth);
    const token = this.#next();
    const type = token.kind === 'word' ? GEOMETRIES.get(token.text.toLowerCase()) : undefined;
    if (type === undefined) throw this.#unexpected(token);
    this.#takeWord('z');
    if (type === 'GeometryCollection') {
      this.#expectSign('(');
      const geometries = [this.#geometry(depth + 1)];
      while (this.#takeSign(',')) geometries.push(this.#geometry(depth + 1));
      this.#expectSign(')');
      return { type, geometries };
    }
    const list = this.#list(depth + 1);
    if (type === 'Point') return { type, coordinates: list[0] };
    // The points of a MultiPoint may stand in brackets of their own.
    const isWrapped = type === 'MultiPoint' && list.every((one) => Array.isArray(one) && Array.isArray(one[0]));
    return { type, coordinates: isWrapped ? list.map((one) => (one as unknown[])[0]) : list };
  }

  #list(depth: number): unknown[] {
    if (depth > MAX_DEPTH) throw new Refused('the filter is nested too deeply');
    this.#expectSign('(');
    const one = (): unknown => (this.#peek()?.text === '(' ? this.#list(depth + 1) : this.#position());
    const list = [one()];
    while (this.#takeSign(',')) list.push(one());
    this.#expectSign(')');
    return list;
  }

  #position(): number[] {
    const numbers: number[] = [];
    while (this.#peek()?.kind === 'number' || this.#peek()?.text === '-' || this.#peek()?.text === '+') {
      numbers.push(this.#signed());
    }
    return numbers;
  }

  #signed(): number {
    const sign = this.#takeAny(['+', '-']);
    const token = this.#next();
    if (token.kind !== 'number') throw this.#unexpected(token);
    return sign === '-' ? -Number(token.text) : Number(token.text);
  }

  #enter(depth: number): void {
    this.#nodes += 1;
    // Every level of brackets is a handful of levels of the reader.
    if (depth > 8 * MAX_DEPTH) throw new Refused('the filter is nested too deeply');
    if (this.#nodes > 20 * MAX_NODES) throw new Refused('the filter has too many parts');
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Refused('the filter ends too soon');
    this.#at += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  #takeSign(sign: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#at += 1;
    return true;
  }

  #takeAny<S extends Arithmetic>(signs: readonly S[]): S | undefined {
    const token = this.#peek();
    const found = token?.kind === 'sign' ? signs.find((sign) => sign === token.text) : undefined;
    if (found !== undefined) this.#at += 1;
    return found;
  }

  #expectSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#unexpected(this.#peek(), sign);
  }

  #unexpected(token: Token | undefined, wanted?: string): Refused {
    const expected = wanted === undefined ? '' : `, where "${wanted}" was expected`;
    return token === undefined
      ? new Refused(`the filter ends too soon${expected}`)
      : new Refused(`the filter cannot be read at "${token.text.slice(0, 30)}"${expected}`);
  }
}
