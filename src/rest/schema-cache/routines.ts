// Catalogue rows of functions → routines that can be called, with the media type some of them declare.

import type { Stage } from '../../kernel/in-slices.ts';
import type { ArgumentMode, CompositeRow, RoutineRow } from './catalogue-rows.ts';
import { type ReadComment, readComment } from './directives.ts';
import { mediaTypeOfDomain } from './media-handlers.ts';
import type { Omission } from './omission.ts';
import type { Representations } from './representations.ts';
import type { Parameter, Procedure, ResultColumn, Returns, Routine } from './schema-cache.ts';
import type { Types, WantedTypes } from './types.ts';

export type RoutineSources = {
  readonly routines: readonly RoutineRow[];
  /** Result relations that are not exposed, by oid. */
  readonly composites: ReadonlyMap<number, CompositeRow>;
  readonly types: Types;
  readonly representations: Representations;
};

export type Routines = {
  readonly routines: readonly Routine[];
  readonly mediaTypes: ReadonlyMap<Routine, string>;
  readonly omissions: readonly Omission[];
};

/** bytea, json, jsonb, text, xml: what a whole body can be given as. */
const BODY_TYPES: readonly number[] = [17, 114, 3802, 25, 142];

const VOLATILITIES = { v: 'volatile', s: 'stable', i: 'immutable' } as const;

export function* makeRoutines(sources: RoutineSources): Stage<Routines> {
  const routines: Routine[] = [];
  const mediaTypes = new Map<Routine, string>();
  const omissions: Omission[] = [];
  for (const row of sources.routines) {
    yield;
    if (!isCallable(row)) continue;
    const what = `the ${row.kind === 'p' ? 'procedure' : 'function'} ${row.schema}.${row.name}`;
    if (hasUnknownType(row, sources)) {
      const why = 'the catalogue does not have the type of an argument or of its result';
      omissions.push({ what, why });
      continue;
    }
    if (row.kind === 'p' && !isCallableProcedure(row)) {
      omissions.push({ what, why: 'its OUT arguments cannot be written in a CALL by their names' });
      continue;
    }
    const comment = readComment(row.description);
    const routine = makeRoutine(row, comment, sources);
    routines.push(routine);
    for (const { word } of comment.directives)
      if (row.kind !== 'p' || word !== OUTSIDE)
        omissions.push({ what: `@survest ${word} in the comment on ${what}`, why: 'no such thing is known here' });
    const mediaType = row.returnsSet || row.resultDomain === null ? undefined : mediaTypeOfDomain(row.resultDomain);
    if (mediaType !== undefined) mediaTypes.set(routine, mediaType);
  }
  return { routines, mediaTypes, omissions };
}

function hasUnknownType(row: RoutineRow, { types, composites }: RoutineSources): boolean {
  const columns = row.resultRelation === null ? undefined : composites.get(row.resultRelation.oid);
  return (
    types.get(row.resultType, -1) === undefined ||
    row.argumentTypes.some((type) => types.get(type, -1) === undefined) ||
    (columns?.columnTypes.some((type, i) => types.get(type, columns.modifiers[i] ?? -1) === undefined) ?? false)
  );
}

/** Arguments are given by name, so all must have one, but for one that takes a whole body or the argument named `""`. */
export function isCallable(row: RoutineRow): boolean {
  return isListed(row) || inputsOf(row).length === 1;
}

/** A single unnamed parameter of any other type is for those who know of it: PostGIS alone has hundreds of such functions. */
function isListed(row: RoutineRow): boolean {
  const unnamed = inputsOf(row).filter(({ name }) => name === '');
  const [only, another] = unnamed;
  return only === undefined || (another === undefined && BODY_TYPES.includes(only.type));
}

/** Every type that making the routine will ask for. */
export function wantTypesOf(row: RoutineRow, wanted: WantedTypes): void {
  wanted.add(row.resultType, -1);
  for (const type of row.argumentTypes) wanted.add(type, -1);
}

type Argument = { readonly name: string; readonly type: number; readonly mode: ArgumentMode };

function argumentsOf(row: RoutineRow): Argument[] {
  return row.argumentTypes.map((type, i) => ({
    name: row.argumentNames?.[i] ?? '',
    type,
    mode: row.argumentModes?.[i] ?? 'i',
  }));
}

export function inputsOf(row: RoutineRow): Argument[] {
  return argumentsOf(row).filter(({ mode }) => mode === 'i' || mode === 'b' || mode === 'v');
}

const OUTSIDE = 'outside-transaction';

/** CALL is given every OUT argument: by its name, behind those without one. */
function isCallableProcedure(row: RoutineRow): boolean {
  const given = argumentsOf(row);
  const unnamed = given.findLastIndex(({ name }) => name === '');
  return given.every(({ name, mode }, i) => (mode !== 'o' || name !== '') && (i >= unnamed || name === ''));
}

function makeProcedure(row: RoutineRow, { directives }: ReadComment, { types }: RoutineSources): Procedure {
  return {
    outputs: outputsOf(row).map(({ name, type, mode }, i) => ({
      name: name || `column${i + 1}`,
      castType: castTypeOf(types.get(type, -1)?.name ?? ''),
      isInput: mode === 'b',
    })),
    outside: directives.some(({ word }) => word === OUTSIDE),
  };
}

function makeRoutine(row: RoutineRow, comment: ReadComment, sources: RoutineSources): Routine {
  const inputs = inputsOf(row);
  const settings = (row.settings ?? []).map(parseSetting);
  return {
    schema: row.schema,
    name: row.name,
    description: comment.text,
    parameters: inputs.map((input, i) => makeParameter(input, i < inputs.length - row.defaults, sources.types)),
    returns: makeReturns(row, sources),
    volatility: VOLATILITIES[row.volatility],
    hasVariadic: inputs.some(({ mode }) => mode === 'v'),
    isolation: settings.find(([name]) => name === 'default_transaction_isolation')?.[1].toLowerCase() ?? null,
    settings,
    ...(isListed(row) ? undefined : { unlisted: true }),
    ...(row.kind === 'p' ? { procedure: makeProcedure(row, comment, sources) } : undefined),
  };
}

function makeParameter({ name, type, mode }: Argument, isBeforeDefaults: boolean, types: Types): Parameter {
  const printed = types.get(type, -1)?.name ?? '';
  return {
    name,
    type: printed,
    castType: castTypeOf(printed),
    // A VARIADIC one takes no values as well as many, but by name it has to be given.
    required: isBeforeDefaults,
    variadic: mode === 'v',
  };
}

/** `character` and `bit` without a length mean length one in a cast. */
function castTypeOf(type: string): string {
  return type.replace(/^(character|bit)(\[\])?$/, '$1 varying$2');
}

/** `name=value`, as pg_proc has the SET clauses. */
function parseSetting(setting: string): readonly [name: string, value: string] {
  const equals = setting.indexOf('=');
  return [setting.slice(0, equals), setting.slice(equals + 1)];
}

function makeReturns(row: RoutineRow, sources: RoutineSources): Returns {
  return { set: row.returnsSet, shape: makeShape(row, sources) };
}

function makeShape(row: RoutineRow, sources: RoutineSources): Returns['shape'] {
  const { resultRelation: relation } = row;
  if (relation !== null) {
    const { schema, name } = relation;
    const shape = { kind: 'composite', relation: { schema, name }, isAlias: row.resultDomain !== null } as const;
    const columns = compositeColumns(sources.composites.get(relation.oid), sources);
    return columns === undefined ? shape : { ...shape, columns };
  }
  // A single OUT argument gives the function the argument's type as result, yet the row has a column of that name.
  const outputs = outputsOf(row);
  if (outputs.length > 0) {
    const columns = outputs.map(({ name, type }, i) => makeResultColumn(name || `column${i + 1}`, type, -1, sources));
    return { kind: 'record', columns: byName(columns) };
  }
  switch (row.resultKind) {
    case 'void':
    case 'record':
      return { kind: row.resultKind };
    default:
      return { kind: 'scalar', type: sources.types.get(row.resultType, -1)?.name ?? '' };
  }
}

function outputsOf(row: RoutineRow): Argument[] {
  return argumentsOf(row).filter(({ mode }) => mode === 'o' || mode === 'b' || mode === 't');
}

function compositeColumns(
  row: CompositeRow | undefined,
  sources: RoutineSources,
): ReadonlyMap<string, ResultColumn> | undefined {
  if (row === undefined) return undefined;
  return byName(
    row.columnNames.map((name, i) => makeResultColumn(name, row.columnTypes[i] ?? 0, row.modifiers[i] ?? -1, sources)),
  );
}

function makeResultColumn(name: string, type: number, modifier: number, sources: RoutineSources): ResultColumn {
  const known = sources.types.get(type, modifier);
  return {
    name,
    baseType: known?.baseName ?? '',
    nominalType: known?.nominalName ?? '',
    representation: sources.representations.nameOf(type),
  };
}

function byName(columns: readonly ResultColumn[]): ReadonlyMap<string, ResultColumn> {
  return new Map(columns.map((column) => [column.name, column]));
}
