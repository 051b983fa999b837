// What must not be in the schema of a GeoPackage. Opening an SQLite file runs its schema: virtual tables that show other files as
// rows, views and triggers that call what the program around SQLite has to offer. Of these only the format's own are taken. Pure.

/** What was found, as one says it; undefined: nothing. */
export function sqliteSchemaFault(statements: readonly string[]): string | undefined {
  for (const statement of statements) {
    const fault = faultOf(statement);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(statement: string): string | undefined {
  // Where SQLite stops reading.
  const words = tokens(statement.split('\0', 1)[0] ?? '');
  if (words.length === 0 || !is(words[0], 'create')) return undefined;
  const [, kind, second] = words;
  if (is(kind, 'table')) return dangerousCall(words, nameOf(words, 2));
  if (is(kind, 'index')) return dangerousCall(words, nameOf(words, 2));
  if (is(kind, 'unique') && is(second, 'index')) return dangerousCall(words, nameOf(words, 3));
  if (is(kind, 'virtual') && is(second, 'table')) {
    const name = nameOf(words, 3);
    const using = words.findIndex((word) => is(word, 'using'));
    const module = using < 0 ? '' : (words[using + 1]?.text ?? '');
    return module.toLowerCase() === 'rtree' ? undefined : `the virtual table "${shown(name)}" (${shown(module)})`;
  }
  if (is(kind, 'trigger')) {
    const name = nameOf(words, 2);
    return OWN_TRIGGER.test(name) && hasOwnCallsOnly(words) ? undefined : `the trigger "${shown(name)}"`;
  }
  if (is(kind, 'view')) {
    const name = nameOf(words, 2);
    return OWN_VIEWS.has(name.toLowerCase()) && hasOwnCallsOnly(words) ? undefined : `the view "${shown(name)}"`;
  }
  return `a statement that begins with "${shown(
    words
      .slice(0, 3)
      .map(({ text }) => text)
      .join(' '),
  )}"`;
}

/** By the standard and by GDAL, which keeps count of features. */
const OWN_TRIGGER =
  /^(?:rtree_.{1,400}_(?:insert|update\d{0,2}|delete)|gpkg_\w{1,200}|trigger_(?:insert|delete)_feature_count_.{1,400}|.{1,400}_(?:zoom|tile_column|tile_row)_(?:insert|update))$/is;
const OWN_VIEWS: ReadonlySet<string> = new Set(['st_spatial_ref_sys', 'st_geometry_columns']);

/** What may stand before a bracket in those: functions of theirs, and words of the language. */
const OWN_CALLS: ReadonlySet<string> = new Set(
  `st_isempty st_minx st_maxx st_miny st_maxy raise values in when and or not exists where select from lower upper abs typeof count
   coalesce strftime datetime substr length min max`.split(/\s+/),
);

function hasOwnCallsOnly(words: readonly Token[]): boolean {
  return words.every((word, i) => words[i + 1]?.text !== '(' || !word.isName || OWN_CALLS.has(word.text.toLowerCase()));
}

/** Functions that lead out of the database, in columns that are computed, checks, defaults and indexes. */
const DANGEROUS =
  /^(?:load_extension|readfile|writefile|edit|eval|fts3_tokenizer|blob(?:from|to)file|xb_\w{1,60}|(?:import|export)\w{2,60}|gdal_\w{1,60}|ogr_\w{1,60}|rl2_\w{1,60})$/i;

function dangerousCall(words: readonly Token[], name: string): string | undefined {
  const found = words.find(
    (word, i) => word.isName && words[i + 1]?.text === '(' && word.text !== name && DANGEROUS.test(word.text),
  );
  return found === undefined ? undefined : `a call of ${shown(found.text)} in "${shown(name)}"`;
}

type Token = { readonly text: string; readonly isName: boolean };

function is(token: Token | undefined, word: string): boolean {
  return token?.text.toLowerCase() === word;
}

/** Behind `IF NOT EXISTS`, without the name of a schema. */
function nameOf(words: readonly Token[], at: number): string {
  const start = is(words[at], 'if') ? at + 3 : at;
  return words[words[start + 1]?.text === '.' ? start + 2 : start]?.text ?? '';
}

/** What has no end goes to the end: every character is looked at once. */
const TOKEN =
  /\s+|--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|[\w$\u0080-\uffff]+|[\s\S]/gy;
const IS_SPACE = /^(?:\s|--|\/\*)/;

/** Strings, names in quotes, words and signs; comments and blanks are left out. A string may be a name: SQLite takes it for one. */
function tokens(statement: string): readonly Token[] {
  const found: Token[] = [];
  for (const [text] of statement.matchAll(TOKEN)) {
    if (IS_SPACE.test(text)) continue;
    const isQuoted = text.length > 1 && /^['"`[]/.test(text);
    found.push({ text: isQuoted ? text.slice(1, -1) : text, isName: isQuoted || /^[\w$\u0080-\uffff]/.test(text) });
  }
  return found;
}

function shown(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the name is a stranger's, and shown to people
  return text.replace(/[\u0000-\u001f\u007f]/g, '?').slice(0, 100);
}
