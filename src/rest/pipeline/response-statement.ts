// Reads the response settings of the database: `response.headers` and `response.status`.

import type { Statement } from '../../pg/driver.ts';
import { RESPONSE_STATEMENT } from '../query/main-query.ts';
import type { RestState } from './state.ts';

const RESPONSE: Statement = { text: RESPONSE_STATEMENT, params: [] };
const PREPARED_RESPONSE: Statement = { ...RESPONSE, name: 'response_settings' };

export function responseStatement({ config }: RestState): Statement {
  return config.dbPreparedStatements ? PREPARED_RESPONSE : RESPONSE;
}
