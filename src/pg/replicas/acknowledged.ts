// Asks the primary for the position in its log (LSN) that covers everything acknowledged so far. Of what was acknowledged all is flushed, and only what is
// flushed can have come to a replica; where commits do not wait for that, it is the position up to which the log was written.

import type { Statement } from '../driver.ts';

export const ACKNOWLEDGED: Statement = {
  name: 'acknowledged_position',
  text: `select case when pg_catalog.current_setting('synchronous_commit') = 'off' then pg_catalog.pg_current_wal_insert_lsn()
    else pg_catalog.pg_current_wal_flush_lsn() end`,
  params: [],
};
