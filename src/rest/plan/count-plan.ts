// Which total is asked for.

import type { Preferences } from '../request/preferences.ts';
import type { CountPlan } from './plan.ts';

export function countPlan({ count }: Preferences, maxRows: number | undefined): CountPlan {
  return count === 'estimated' ? { kind: 'estimated', upTo: maxRows } : { kind: count ?? 'none' };
}
