// The root's window under the cap of db-max-rows. Its offset is a parameter, so that every page is the same statement;
// its limit stands in the text, where the planner can see it.

import type { Window } from '../request/api-request.ts';
import type { NodeWindow } from './plan.ts';

export const EVERYTHING: NodeWindow = { limit: undefined, offset: 0 };

export function rootWindow({ limit, offset }: Window, maxRows: number | undefined): NodeWindow {
  return { limit: smaller(limit, maxRows), offset: offset === 0 ? 0 : 'parameter' };
}

export function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
