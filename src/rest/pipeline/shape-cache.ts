// What all requests of one shape share: plan, SQL, statement names and the fixed part of the reply. Made once, looked up
// by a key that holds everything of a request but its values.
//
// The cache belongs to one schema cache and one configuration; a reload makes a new one.

import type { HttpRequest } from '../../http/http-message.ts';
import type { Setting } from '../../pg/scope.ts';
import type { Rendered } from '../../sql/index.ts';
import type { QueryPlan } from '../plan/plan.ts';
import type { Bind } from '../query/bind.ts';
import type { LevelLayout } from '../query/levels-sql.ts';
import type { RowsOf, RowsStatements } from '../query/main-query.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { NestedKeys } from '../request/payload.ts';
import type { ReplyShape } from '../response/reply.ts';
import type { ResultCheck } from '../run/run.ts';
import type { Identifier } from '../schema-cache/schema-cache.ts';

export type ShapeStatement = Rendered<Bind> & {
  /** Undefined where statements may not be prepared. */
  readonly name: string | undefined;
  /** Ask for the result's types: some bodies are bytea, some text. */
  readonly describe: boolean;
};

/** Statements whose rows are written into the body as they come. */
export type ShapeRows = {
  readonly of: RowsOf;
  readonly isScalar: boolean;
  readonly held: RowsStatements<ShapeStatement>;
  readonly streamed: () => RowsStatements<ShapeStatement>;
  /** The rows and what is said of them beside have to come from one snapshot. */
  readonly oneSnapshot: boolean;
  /** So few that the body had better be asked for as a whole where the database has to write each row. */
  readonly fewTexts: boolean;
  /** The same rows as `held`, as one body. */
  readonly few: ShapeStatement | undefined;
  /** What earlier requests of the shape have shown. Wrong, it costs one batch more, and nothing else. */
  readonly seen: {
    /** Some column is of a type that the database has to write. */
    asTexts: boolean;
    /** The last answer had so few rows that they are quicker asked for as one body. */
    few: boolean;
    /** The last answer was larger than what is held in memory. */
    large: boolean;
    /** Of the last answer's body. */
    bytes: number;
  };
};

/** A tree of rows, asked for level by level. */
type ShapeLevels = {
  readonly statement: ShapeStatement;
  readonly layout: LevelLayout;
  /** All rows come, and are the total. */
  readonly isTotal: boolean;
  /** What earlier requests of the shape have shown. */
  readonly seen: {
    /** It was larger than what is held in memory, or could not be written here: others do it from then on. */
    isOther: boolean;
    /** Length of the last body, whoever has written it. */
    bytes: number;
  };
};

/** An insert of many rows. */
type ShapeCopy = {
  readonly statement: ShapeStatement;
  readonly response: ShapeStatement;
  readonly columns: readonly string[];
  /** What earlier requests of the shape have shown: COPY cannot do it. */
  readonly seen: { isRefused: boolean };
};

/** See `ways/`. */
export type WayName = 'procedure' | 'levels' | 'copy' | 'rows' | 'whole';

/** Everything that requests of a shape share. The values of its members are those of the configuration and schema that the cache belongs to. */
export type Shape = ReplyShape & {
  readonly kind: 'query';
  /** How they are answered. */
  readonly way: WayName;
  /** Some extension has a part in it: owners' limits, a cost limit, the relation guard, explanations of access. */
  readonly isExtended: boolean;
  readonly plan: QueryPlan;
  readonly main: ShapeStatement;
  /** Brings the same as `main`, row by row. */
  readonly rows: ShapeRows | undefined;
  /** Brings the same as `main`, level by level. */
  readonly levels: ShapeLevels | undefined;
  /** Inserts the same as `main`. */
  readonly copy: ShapeCopy | undefined;
  /** A write that goes before the main statement. */
  readonly before: ShapeStatement | undefined;
  /** CALL of a procedure, whose row the main statement reads. */
  readonly call: ShapeStatement | undefined;
  /** What earlier calls have shown of its row: whether it can be written here. */
  readonly calledRow: { isWrittenHere: boolean | undefined };
  readonly estimate: ShapeStatement | undefined;
  readonly readOnly: boolean;
  /** Says what is wrong with the rows that were found or written; undefined: nothing can be. */
  readonly check: ResultCheck | undefined;
  /** What was written is undone in the end, by preference or setting. */
  readonly rollback: boolean;
  /** Of the called function. */
  readonly routineSettings: readonly Setting[];
  /** What would be wrong with its rows fails in the statement itself. */
  readonly raises: boolean;
  /** What the relation guard is asked about; empty where there is none. */
  readonly guarded: readonly Identifier[];
};

const MAX_SHAPES = 2000;
/** Of keys and SQL together, in characters: requests are as long as their senders make them. */
const MAX_TEXT = 32_000_000;

export class ShapeCache {
  readonly #shapes = new Map<string, Shape>();
  #text = 0;

  get(key: string): Shape | undefined {
    return this.#shapes.get(key);
  }

  set(key: string, shape: Shape): void {
    this.#shapes.set(key, shape);
    this.#text += weightOf(key, shape);
    // The oldest go. Shapes in steady use come back at once; a flood of odd ones only pushes each other out.
    for (const [oldest, old] of this.#shapes) {
      if (this.#shapes.size <= MAX_SHAPES && this.#text <= MAX_TEXT) break;
      this.#shapes.delete(oldest);
      this.#text -= weightOf(oldest, old);
    }
  }
}

function weightOf(key: string, { main, before, call, estimate, rows }: Shape): number {
  const statements = [main, before, call, estimate, rows?.held.cells, rows?.held.texts];
  return statements.reduce((sum, statement) => sum + (statement?.text.length ?? 0), key.length);
}

/** Everything that planning and the fixed part of the reply look at. NUL cannot stand in a header or a name. */
export function shapeKey(http: HttpRequest, request: ApiRequest): string {
  const { action, payload, window } = request;
  const { name } = request.target.kind === 'root' ? { name: '' } : request.target;
  return `${request.method}\0${request.target.kind}\0${request.schema}\0${request.schemaNegotiated ? 1 : 0}\0${name}\0${request.query.shape}\0${
    window.limit ?? ''
  }\0${window.offset > 0 ? 1 : 0}\0${http.headers['accept'] ?? ''}\0${http.headers['prefer'] ?? ''}\0${
    action.kind === 'read' || payload === undefined ? '' : payloadShape(payload)
  }`;
}

/** How `select` embeds a level is in the shape of the query. */
function nestedShape({ keys, partial, children }: NestedKeys): string {
  const inside = children.map(
    ({ name, isList, inside: inner }) => `${JSON.stringify(name)}${isList ? 'l' : 'o'}${nestedShape(inner)}`,
  );
  return `n${JSON.stringify([keys, partial])}(${inside.join()})`;
}

function payloadShape(payload: NonNullable<ApiRequest['payload']>): string {
  switch (payload.kind) {
    case 'json':
      return `${payload.fromCsv ? 'c' : payload.merge === undefined ? 'j' : `m${JSON.stringify(payload.merge)}`}${payload.isArray ? 'a' : 'o'}${payload.keys === undefined ? '' : JSON.stringify(payload.keys)}${payload.nested === undefined ? '' : nestedShape(payload.nested)}`;
    case 'json-patch':
      return `p${JSON.stringify(payload.operations)}`;
    case 'form':
      return `f${JSON.stringify(payload.fields.map(([name]) => name))}`;
    case 'raw':
      return payload.as;
  }
}
