// Where the columns of a view come from: its stored query, in the notation PostgreSQL prints parse trees in → for each
// output column that is plainly a column of another relation, that relation and column.
//
// The parser of PostgreSQL has already followed joins, subqueries and CTEs and noted the origin in each entry of the
// target list (resorigtbl, resorigcol); expressions and set operations have none. What is left is to find the target list
// of the outermost query. The notation: `{NODE :field value …}`, lists in parentheses, and a backslash before any
// character that would otherwise mean something, so that names cannot pretend to be structure.

export type ViewColumn = {
  /** Attnum in the view. */
  readonly column: number;
  /** Oid of the table or view it comes from. */
  readonly origin: number;
  /** Attnum there. */
  readonly originColumn: number;
};

const BACKSLASH = 0x5c;
const SPACE = 0x20;
const OPEN_NODE = 0x7b;
const CLOSE_NODE = 0x7d;
const OPEN_LIST = 0x28;
const CLOSE_LIST = 0x29;
const COLON = 0x3a;

const RESNO = Buffer.from(':resno');
const RESORIGTBL = Buffer.from(':resorigtbl');
const RESORIGCOL = Buffer.from(':resorigcol');
const RESJUNK = Buffer.from(':resjunk');
const TARGET_LIST = Buffer.from(':targetList');
const TRUE = Buffer.from('true');

export function parseViewColumns(tree: Buffer): ViewColumn[] {
  const query = tree.indexOf('{QUERY ');
  let label = query < 0 ? tree.length : firstLabel(tree, query);
  while (tree[label] === COLON) {
    const endOfLabel = endOfToken(tree, label);
    const value = skipSpaces(tree, endOfLabel);
    if (isAt(tree, label, endOfLabel, TARGET_LIST)) return parseTargetList(tree, value);
    label = skipSpaces(tree, endOfValue(tree, value));
  }
  return [];
}

function parseTargetList(tree: Buffer, list: number): ViewColumn[] {
  const columns: ViewColumn[] = [];
  let entry = skipSpaces(tree, list + 1);
  while (tree[entry] === OPEN_NODE) {
    let column = 0;
    let origin = 0;
    let originColumn = 0;
    let isJunk = false;
    let label = firstLabel(tree, entry);
    // Labels and values take turns: a column may be called ":resno", but then its name stands where a value is due.
    while (tree[label] === COLON) {
      const endOfLabel = endOfToken(tree, label);
      const value = skipSpaces(tree, endOfLabel);
      const endValue = endOfValue(tree, value);
      if (isAt(tree, label, endOfLabel, RESNO)) column = numberAt(tree, value, endValue);
      else if (isAt(tree, label, endOfLabel, RESORIGTBL)) origin = numberAt(tree, value, endValue);
      else if (isAt(tree, label, endOfLabel, RESORIGCOL)) originColumn = numberAt(tree, value, endValue);
      else if (isAt(tree, label, endOfLabel, RESJUNK)) isJunk = isAt(tree, value, endValue, TRUE);
      label = skipSpaces(tree, endValue);
    }
    if (!isJunk && column > 0 && origin > 0 && originColumn > 0) columns.push({ column, origin, originColumn });
    entry = skipSpaces(tree, label + 1);
  }
  return columns;
}

/** Position of the first label of the node that opens at `node`. */
function firstLabel(tree: Buffer, node: number): number {
  return skipSpaces(tree, endOfToken(tree, node + 1));
}

function isAt(tree: Buffer, from: number, to: number, text: Buffer): boolean {
  if (to - from !== text.length) return false;
  // The end tells these labels apart sooner than the beginning.
  for (let i = text.length - 1; i >= 0; i--) if (tree[from + i] !== text[i]) return false;
  return true;
}

/** 0 for what is not all digits: system columns have negative numbers, and no key is made of them. */
function numberAt(tree: Buffer, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = (tree[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return 0;
    number = number * 10 + digit;
  }
  return number;
}

/** A node or a list up to its closing character, anything else up to the next space. */
function endOfValue(tree: Buffer, from: number): number {
  const first = tree[from];
  if (first !== OPEN_NODE && first !== OPEN_LIST) return endOfToken(tree, from);
  let depth = 0;
  for (let at = from; at < tree.length; at++) {
    switch (tree[at]) {
      case BACKSLASH:
        at++;
        break;
      case OPEN_NODE:
      case OPEN_LIST:
        depth++;
        break;
      case CLOSE_NODE:
      case CLOSE_LIST:
        depth--;
        if (depth === 0) return at + 1;
        break;
    }
  }
  return tree.length;
}

function endOfToken(tree: Buffer, from: number): number {
  for (let at = from; at < tree.length; at++) {
    switch (tree[at]) {
      case BACKSLASH:
        at++;
        break;
      case SPACE:
      case CLOSE_NODE:
      case CLOSE_LIST:
        return at;
    }
  }
  return tree.length;
}

function skipSpaces(tree: Buffer, from: number): number {
  let at = from;
  while (tree[at] === SPACE) at++;
  return at;
}
