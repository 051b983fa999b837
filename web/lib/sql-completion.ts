// What can stand where somebody types in a statement of SQL: columns of the tables that it names, tables, words of the language. Pure.

export type SqlTable = { readonly schema: string; readonly name: string; readonly columns: readonly string[] };

export type SqlOption = { readonly text: string; readonly kind: 'column' | 'table' | 'word' };

export type SqlCompletion = {
  /** What is replaced. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly SqlOption[];
};

const MAX_OPTIONS = 10;
const MAX_TEXT = 20_000;
const WORDS =
  'select from where group order by having limit offset join left inner on using as and or not null is in like ilike between case when then else end distinct union all exists with values insert into update set delete returning count sum avg min max asc desc'.split(
    ' ',
  );
const NAME = /[\p{L}\p{N}_$]/u;

/** Undefined: nothing fits. `isAsked`: also where nothing has been typed yet. */
export function completeSql(
  statement: string,
  caret: number,
  tables: readonly SqlTable[],
  isAsked = false,
): SqlCompletion | undefined {
  if (statement.length > MAX_TEXT) return undefined;
  let from = caret;
  while (from > 0 && NAME.test(statement[from - 1] ?? '')) from -= 1;
  const typed = statement.slice(from, caret).toLowerCase();
  const owner = statement[from - 1] === '.' ? nameBefore(statement, from - 1) : undefined;
  if (typed.length < 2 && owner === undefined && !isAsked) return undefined;
  if (isQuoted(statement.slice(0, from))) return undefined;
  const options = optionsOf(statement, owner, tables, typed);
  return options.length === 0 || (options.length === 1 && options[0]?.text === typed)
    ? undefined
    : { from, to: caret, options };
}

/** Whether the end of the text lies within a text or a comment. */
function isQuoted(text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return line.includes('--') || (text.split("'").length - 1) % 2 === 1;
}

function nameBefore(statement: string, end: number): string {
  let from = end;
  while (from > 0 && NAME.test(statement[from - 1] ?? '')) from -= 1;
  return statement.slice(from, end).toLowerCase();
}

function optionsOf(
  statement: string,
  owner: string | undefined,
  tables: readonly SqlTable[],
  typed: string,
): readonly SqlOption[] {
  const named = tablesIn(statement, tables);
  const begins = (text: string): boolean => text.toLowerCase().startsWith(typed);
  const columnsOf = (some: readonly SqlTable[]): readonly SqlOption[] =>
    [...new Set(some.flatMap(({ columns }) => columns))].map((text) => ({ text, kind: 'column' }));
  const tableOptions = (some: readonly SqlTable[]): readonly SqlOption[] =>
    some.map(({ name }) => ({ text: name, kind: 'table' }));
  const all: readonly SqlOption[] =
    owner === undefined
      ? [
          ...columnsOf([...named.values()]),
          ...tableOptions(tables),
          ...WORDS.map((text): SqlOption => ({ text, kind: 'word' })),
        ]
      : [
          ...columnsOf([named.get(owner)].filter((table) => table !== undefined)),
          ...tableOptions(tables.filter(({ schema }) => schema === owner)),
        ];
  return all
    .filter(({ text }) => begins(text))
    .slice(0, MAX_OPTIONS)
    .map(({ text, kind }) => ({
      text: kind === 'word' || /^[a-z_][a-z0-9_$]*$/.test(text) ? text : quoted(text),
      kind,
    }));
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** By name and by alias. */
function tablesIn(statement: string, tables: readonly SqlTable[]): ReadonlyMap<string, SqlTable> {
  const known = new Map(tables.toReversed().map((table) => [table.name.toLowerCase(), table]));
  const words = statement.toLowerCase().match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  const found = new Map<string, SqlTable>();
  for (const [i, word] of words.entries()) {
    const table = known.get(word);
    if (table === undefined) continue;
    found.set(word, table);
    // `"trees" as t`: the quotation mark, then perhaps `as`.
    const rest = words.slice(i + 1, i + 4).filter((next) => next !== '"' && next !== 'as');
    const [alias = ''] = rest;
    if (NAME.test(alias[0] ?? '') && !WORDS.includes(alias)) found.set(alias, table);
  }
  return found;
}
