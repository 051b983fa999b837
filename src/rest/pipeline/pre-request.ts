// The operator's own check: a function that runs as the caller before the main statement, and may raise to refuse.

import type { Statement } from '../../pg/driver.ts';
import type { RestConfig } from '../config/config.ts';
import { qualified } from './qualified-name.ts';

export function preRequest(config: RestConfig): Statement | undefined {
  if (config.dbPreRequest === undefined) return undefined;
  const text = `select ${qualified(config.dbPreRequest)}()`;
  return config.dbPreparedStatements ? { text, params: [], name: `pre_request_${text}` } : { text, params: [] };
}
