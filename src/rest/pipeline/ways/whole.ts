// The database makes the body as a whole: writes, functions of one value, few rows, single objects, keyset pages.

import { run } from '../../run/run.ts';
import { filled } from '../fill-statement.ts';
import type { Way } from './way.ts';

export const whole: Way = {
  name: 'whole',
  fits: () => true,
  main: ({ main }) => main,
  instead: undefined,
  answer({ shape, request, role, exchange: { state }, before, transaction, options }, { driver }) {
    const work = {
      before: shape.before === undefined ? before : [...before, filled(shape.before, request, role, state)],
      main: filled(shape.main, request, role, state),
      estimate: shape.estimate === undefined ? undefined : filled(shape.estimate, request, role, state),
      isPlan: shape.plan.media.explain !== undefined,
      transaction,
    };
    return run(work, driver, options);
  },
};
