// The mode of service for `survest rest`, which has no portal of its own: polled where the database holds one that this login may ask for it. Whether it
// does is looked at with each load of the schema, so that databases without a portal are not polled.

import { NORMAL, type ServiceMode } from '../../http/service-mode.ts';
import type { Observe } from '../../kernel/observation.ts';
import type { Batch, Driver } from '../../pg/driver.ts';
import { followMode, type ModeCell } from '../../portal/mode/follow-mode.ts';
import { mayReadMode } from '../../portal/mode/mode-store.ts';

export type PortalMode = {
  now(): ServiceMode;
  /** Hears of loaded schemas. */
  readonly observe: Observe;
  close(): void;
};

export function followPortalMode(driver: Driver): PortalMode {
  let cell: ModeCell | undefined;
  let isLooking = false;
  let isClosed = false;

  async function look(): Promise<void> {
    if (cell !== undefined || isLooking || isClosed) return;
    isLooking = true;
    const db = { service: (statements: Batch) => driver.execute(statements) };
    if (await mayReadMode(db)) cell = await followMode(db);
    isLooking = false;
    if (isClosed) cell?.close();
  }

  return {
    now: () => cell?.now() ?? NORMAL,
    observe: ({ kind }) => {
      if (kind === 'schema-loaded') void look();
    },
    close() {
      isClosed = true;
      cell?.close();
    },
  };
}
