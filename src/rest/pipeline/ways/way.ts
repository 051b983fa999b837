// A way of answering: which statements bring what a request asks for, and who writes the body. The ways are a closed list (`choose-way.ts`), a file
// each; a shape keeps the first that fits it.

import type { Result } from '../../../kernel/result.ts';
import type { RestError } from '../../errors/rest-error.ts';
import type { Outcome } from '../../run/run.ts';
import type { Server } from '../read-servers.ts';
import type { Shape, ShapeStatement, WayName } from '../shape-cache.ts';
import type { Work } from '../work.ts';

export type Way = {
  readonly name: WayName;
  /** Whether requests of such a shape can be answered so; asked once, when the shape is made. */
  readonly fits: (shape: Omit<Shape, 'way'>) => boolean;
  /** Whether this request of the shape is answered so, as far as can be told beforehand; absent: all are. */
  readonly takes?: (work: Work) => boolean;
  /** Its main statement, for the log. */
  readonly main: (shape: Shape) => ShapeStatement;
  /** Undefined: the database refused what only this way asks of it, or what came is of no use to it. */
  readonly answer: (work: Work, server: Server) => Promise<Result<Outcome | undefined, RestError>>;
  /** The way that answers then. Undefined: this one always has an answer. */
  readonly instead: WayName | undefined;
  /** Told of every answer to a shape of this way, whichever way has made it. */
  readonly learn?: (shape: Shape, outcome: Outcome) => void;
};
