// What a request will be: a shape, whose statements are known, or what is answered in another way. Planned once for all requests of the shape.

import type { HttpRequest } from '../../http/http-message.ts';
import type { Result } from '../../kernel/result.ts';
import { ok } from '../../kernel/result.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan, ReadPlan } from '../plan/plan.ts';
import type { PlanError } from '../plan/plan-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { makeShape, shapeOptions } from './make-shape.ts';
import { limitedContext } from './owner-limits.ts';
import { type Shape, shapeKey } from './shape-cache.ts';
import type { LoadedState } from './state.ts';

/** Requests that are not answered by statements of a shape: OPTIONS, descriptions of the API, live streams. */
export type Unshaped =
  | Extract<Plan, { kind: 'info' | 'describe' }>
  | { readonly kind: 'live'; readonly plan: ReadPlan };

export function planRequest(
  http: HttpRequest,
  request: ApiRequest,
  role: string,
  state: LoadedState,
): Result<Shape | Unshaped, PlanError> {
  const { context, key: limits } = limitedContext(request, role, state.config, state.cache);
  const key = shapeKey(http, request) + limits;
  const known = state.shapes.get(key);
  if (known !== undefined) return ok(known);
  const made = makePlan(request, context);
  if (!made.ok) return made;
  const plan = made.value;
  if (plan.kind === 'info' || plan.kind === 'describe') return ok(plan);
  if (plan.kind === 'read' && plan.media.format.kind === 'events') return ok({ kind: 'live', plan });
  const shape = makeShape(request, plan, shapeOptions(state, plan));
  state.shapes.set(key, shape);
  return ok(shape);
}
