// The operator's own check: a function that runs as the caller before the main statement, and may raise to refuse.

import type { Statement } from '../../pg/driver.ts';
import { qualified } from './qualified-name.ts';
import type { RestState } from './state.ts';

export function preRequest({ config }: RestState): Statement | undefined {
  if (config.dbPreRequest === undefined) return undefined;
  const text = `select ${qualified(config.dbPreRequest)}()`;
  return config.dbPreparedStatements ? { text, params: [], name: `pre_request_${text}` } : { text, params: [] };
}
