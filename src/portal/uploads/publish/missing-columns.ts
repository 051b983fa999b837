// Columns of a layer that the file in place of its rows does not have. Emptying them silently loses what somebody joined or entered: the
// sender says whether they are emptied, or whether rows keep their values, found by a key that both have.

import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Session } from '../../../pg/driver.ts';
import { quoteIdent } from '../../../sql/index.ts';
import type { Answers } from '../importer-port.ts';
import { AS_LOGIN } from '../service-scope.ts';
import { statement } from '../service-transaction.ts';
import { execute, type PublishError } from './publication.ts';

export type LayerColumn = { readonly name: string; readonly type: string; readonly label: string | null };

/** A column of the layer that the file has, too. */
export type SharedColumn = LayerColumn & {
  /** Its name in the staged table, and the type there. */
  readonly ours: string;
  readonly ourType: string;
};

export type KeptColumns = {
  /** Column of the layer, and the column of the staged table that now holds its values. */
  readonly pairs: readonly (readonly [theirs: string, value: string])[];
  readonly warnings: readonly string[];
};

/** Types that tell rows apart by equality. */
const KEY_TYPES = /^(?:text|character varying|smallint|integer|bigint|numeric|uuid|date)/;
/** So many rows are looked at for columns that may be a key. */
const SAMPLE = 1000;
const MAX_KEYS = 20;
const NOTHING: KeptColumns = { pairs: [], warnings: [] };

/** `absent`: those of the layer that the file lacks. With `keep`, their values are put beside the rows of the staged table `from`. */
export async function keepMissing(
  session: Session,
  { into, from, file }: { readonly into: string; readonly from: string; readonly file: string },
  absent: readonly LayerColumn[],
  shared: readonly SharedColumn[],
  answers: Answers,
): Promise<Result<KeptColumns, PublishError>> {
  if (absent.length === 0 || answers.missing === 'empty') return ok(NOTHING);
  const possible = shared.filter(({ type }) => KEY_TYPES.test(type)).slice(0, MAX_KEYS);
  const looked = await execute(session, [
    AS_LOGIN,
    // The owner of a protected table is held back by its policies like everybody; the permission was asked for before.
    statement(`alter table ${into} no force row level security`),
    statement(
      `select ${absent.map(({ name }) => `coalesce(bool_or(nullif(${quoteIdent(name)}::text, '') is not null), false)`).join(', ')} from ${into}`,
    ),
    statement(
      `select ${['count(*)', ...possible.map(({ name }) => `count(distinct ${quoteIdent(name)})`)].join(', ')}
         from (select * from ${into} limit ${SAMPLE}) x`,
    ),
  ]);
  if (!looked.ok) return looked;
  const [filled = []] = looked.value[2] ?? [];
  // Nothing is lost of a column that is empty.
  const missing = absent.filter((_, i) => filled[i] === 't');
  if (missing.length === 0) return ok(NOTHING);
  const [[rows, ...distinct] = []] = looked.value[3] ?? [];
  const keys = possible.filter((_, i) => distinct[i] === rows).map(labelOf);
  switch (answers.missing) {
    case undefined:
      return fits(
        `${file} has no ${columnsText(missing)}, and the layer does: say missing=empty to empty ${missing.length === 1 ? 'it' : 'them'}, or missing=keep, with key= and the name of a column that both have${keys.length === 0 ? '' : ` (${quoted(keys)})`}. Nothing was changed.`,
      );
    case 'ask':
      return err({
        kind: 'question',
        question: { kind: 'missing-columns', file, columns: missing.map(labelOf), keys },
      });
    case 'keep':
      break;
  }
  const name = answers.key ?? (keys.length === 1 ? keys[0] : undefined);
  const key = shared.find((column) => column.name === name || column.label === name);
  if (key === undefined)
    return fits(
      name === undefined
        ? `Say by key= which column tells the rows apart, so that ${columnsText(missing)} can be kept${keys.length === 0 ? '' : `: ${quoted(keys)}`}.`
        : `The layer and ${file} do not both have a column "${name.slice(0, 60)}", by which rows could keep their values.`,
    );
  return takeOver(session, into, from, missing, key);
}

async function takeOver(
  session: Session,
  into: string,
  from: string,
  missing: readonly LayerColumn[],
  key: SharedColumn,
): Promise<Result<KeptColumns, PublishError>> {
  const theirs = quoteIdent(key.name);
  // Names of files have no blanks here.
  const beside = missing.map((column, i) => [column, quoteIdent(`kept ${i}`)] as const);
  const value = `s.${quoteIdent(key.ours)}${key.type === key.ourType ? '' : `::text::${key.type}`}`;
  const twice = await execute(session, [
    statement(`select exists (select from ${into} where ${theirs} is not null group by ${theirs} having count(*) > 1)`),
  ]);
  if (!twice.ok) return twice;
  if (twice.value[0]?.[0]?.[0] === 't')
    return fits(`Several rows of the layer have the same "${labelOf(key)}": values cannot be kept by it.`);
  const taken = await execute(session, [
    ...beside.map(([{ type }, column]) => statement(`alter table ${from} add column ${column} ${type}`)),
    statement(
      `with kept as (update ${from} s set ${beside.map(([{ name }, column]) => `${column} = t.${quoteIdent(name)}`).join(', ')}
                       from ${into} t where t.${theirs} = ${value} returning 1)
       select count(*), (select count(*) from ${from}) from kept`,
    ),
  ]);
  if (!taken.ok) return taken;
  const [[found, rows] = []] = taken.value.at(-1) ?? [];
  return ok({
    pairs: beside.map(([{ name }, column]) => [name, column]),
    warnings:
      found === rows
        ? []
        : [
            `${found} of ${rows} rows have kept the values of ${columnsText(missing)}; the others are not in the layer.`,
          ],
  });
}

function labelOf({ name, label }: LayerColumn): string {
  return label ?? name;
}

/** So many columns are named. */
const MAX_NAMED = 10;

function columnsText(columns: readonly LayerColumn[]): string {
  const names = columns.map(labelOf);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.length === 1 ? 'column' : 'columns'} ${quoted(names.slice(0, MAX_NAMED))}${more}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name.slice(0, 60)}"`).join(', ');
}

function fits(said: string): Result<never, PublishError> {
  return err({ kind: 'does-not-fit', said });
}
