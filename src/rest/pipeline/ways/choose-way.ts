// The closed list of ways of answering, and which of them answers.

import type { Result } from '../../../kernel/result.ts';
import { ok } from '../../../kernel/result.ts';
import type { RestError } from '../../errors/rest-error.ts';
import type { Outcome } from '../../run/run.ts';
import type { Server } from '../read-servers.ts';
import type { Shape, WayName } from '../shape-cache.ts';
import type { Work } from '../work.ts';
import { copy } from './copy.ts';
import { levels } from './levels.ts';
import { procedure } from './procedure.ts';
import { rows } from './rows.ts';
import type { Way } from './way.ts';
import { whole } from './whole.ts';

const WAYS: Readonly<Record<WayName, Way>> = { procedure, levels, copy, rows, whole };

/** The first that fits: the more a way asks of a shape, the earlier it stands in the list. */
export function chooseWay(shape: Omit<Shape, 'way'>): WayName {
  return (Object.values(WAYS).find((way) => way.fits(shape)) ?? whole).name;
}

/** Sends the statements of the shape's way, or of the one that it names instead. */
export async function runWay(work: Work, server: Server): Promise<Result<Outcome, RestError>> {
  const { shape, exchange } = work;
  const first = WAYS[shape.way];
  let way = first;
  for (;;) {
    if (way.takes === undefined || way.takes(work)) {
      exchange.onMain?.(way.main(shape).text);
      const outcome = await way.answer(work, server);
      if (!outcome.ok) return outcome;
      if (outcome.value !== undefined) {
        first.learn?.(shape, outcome.value);
        return ok(outcome.value);
      }
    }
    way = insteadOf(way, shape);
  }
}

function insteadOf({ name, instead }: Way, shape: Shape): Way {
  if (instead === undefined) throw new Error(`the way of answering "${name}" names no other, and has no answer`);
  const next = WAYS[instead];
  return next.fits(shape) ? next : insteadOf(next, shape);
}
