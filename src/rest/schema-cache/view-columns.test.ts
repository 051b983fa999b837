import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseViewColumns } from './view-columns.ts';

const parse = (tree: string) => parseViewColumns(Buffer.from(tree));
const VAR = '{VAR :varno 3 :varattno 1 :vartype 23 :vartypmod -1 :varcollid 0 :varlevelsup 0 :location 7}';
const entry = (resno: number, name: string, table: number, column: number, expr = VAR, junk = false) =>
  `{TARGETENTRY :expr ${expr} :resno ${resno} :resname ${name} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk ${junk}}`;
const query = (targets: string, { before = '<>', after = '<>' } = {}) =>
  `({QUERY :commandType 1 :querySource 0 :canSetTag true :utilityStmt <> :cteList ${before} :rtable <> :jointree {FROMEXPR :fromlist ({RANGETBLREF :rtindex 3}) :quals <>} :targetList ${targets} :override 0 :havingQual ${after} :stmt_len 61})`;

describe('parseViewColumns', () => {
  test('columns have the relation and column they come from', () => {
    expect(parse(query(`(${entry(1, 'id', 16403, 1)} ${entry(2, 'client', 16410, 4)})`))).toEqual([
      { column: 1, origin: 16403, originColumn: 1 },
      { column: 2, origin: 16410, originColumn: 4 },
    ]);
  });

  test('expressions, system columns and columns that are only sorted by are left out', () => {
    const targets = [
      entry(1, 'sum', 0, 0),
      entry(2, 'ctid', 16403, -1),
      entry(3, 'id', 16403, 1),
      entry(4, '<>', 16403, 2, VAR, true),
    ];
    expect(parse(query(`(${targets.join(' ')})`))).toEqual([{ column: 3, origin: 16403, originColumn: 1 }]);
  });

  test('only the outermost query counts, not those before, inside or after its target list', () => {
    const inner = query(`(${entry(1, 'id', 999, 9)})`).slice(1, -1);
    const sublink = `{SUBLINK :subLinkType 4 :subselect ${inner} :location 3}`;
    const tree = query(`(${entry(1, 'n', 0, 0, sublink)} ${entry(2, 'id', 16403, 1)})`, {
      before: `({COMMONTABLEEXPR :ctename w :ctequery ${inner}})`,
      after: sublink,
    });
    expect(parse(tree)).toEqual([{ column: 2, origin: 16403, originColumn: 1 }]);
  });

  test('fields may come in another order or be left out', () => {
    expect(parse('({QUERY :targetList ({TARGETENTRY :resorigcol 2 :resorigtbl 5 :resno 1}) :commandType 1})')).toEqual([
      { column: 1, origin: 5, originColumn: 2 },
    ]);
  });

  test('names cannot pretend to be structure', () => {
    const names = [':resorigtbl', '\\):targetList\\ \\(\\{TARGETENTRY', '\\<>', '""', '\\}\\}\\)', ':resno\\ 7'];
    const targets = names.map((name, i) => entry(i + 1, name, 16403, i + 1));
    expect(parse(query(`(${targets.join(' ')})`))).toEqual(
      names.map((_, i) => ({ column: i + 1, origin: 16403, originColumn: i + 1 })),
    );
  });

  test.each([
    ['nothing', ''],
    ['no query', '({INSERT :x 1})'],
    ['a rule that does nothing', '<>'],
    ['an empty target list', '({QUERY :targetList <>})'],
    ['a list of something else', '({QUERY :targetList (1 2 3)})'],
  ])('%s has no columns', (_, tree) => {
    expect(parse(tree)).toEqual([]);
  });

  test('a tree that is cut off or broken ends the reading, not the program', () => {
    const whole = query(`(${entry(1, 'id', 16403, 1)} ${entry(2, 'client', 16410, 4)})`);
    for (let length = 0; length < whole.length; length++) expect(parse(whole.slice(0, length)).length).toBeLessThan(3);
    const piece = fc.constantFrom(
      '{',
      '}',
      '(',
      ')',
      '\\',
      ' ',
      ':resno 1',
      ':targetList',
      '{QUERY ',
      '{TARGETENTRY ',
      '"',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(Array.isArray(parse(`({QUERY ${pieces.join('')}`))).toBe(true);
      }),
    );
  });
});
