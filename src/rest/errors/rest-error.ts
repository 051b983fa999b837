// Everything that can go wrong with a request of the REST service, stage by stage.

import type { DbError } from '../../pg/driver.ts';
import type { AuthError } from '../auth/auth-error.ts';
import type { PlanError } from '../plan/plan-error.ts';
import type { RequestError } from '../request/request-error.ts';
import type { RunError } from './run-error.ts';

export type RestError = AuthError | RequestError | PlanError | DbError | RunError;
