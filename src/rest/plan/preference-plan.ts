// handling=strict makes an unknown preference an error.

import type { Preferences } from '../request/preferences.ts';
import type { PlanError } from './plan-error.ts';

export function checkPreferences({ handling, invalid }: Preferences): PlanError | undefined {
  return handling === 'strict' && invalid.length > 0 ? { kind: 'invalid-preferences', names: invalid } : undefined;
}
