// The server at the other end of the pool: its version, and whether the connections that are open began with the settings it
// has now. After trouble they may be dead without anybody knowing; whoever distrusts them has them replaced at the next meeting.

import type { Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import type { LoadError } from './load-error.ts';
import { askServerVersion, supportProblem } from './server-version.ts';

export type ServerSession = {
  meet(): Promise<Result<Meeting, LoadError>>;
  distrust(): void;
  isTrusted(): boolean;
};

type Meeting = {
  /** What only an upgrade of the server changes need not be asked again. */
  readonly isSameVersion: boolean;
};

export function makeServerSession(
  driver: Pick<Driver, 'execute' | 'flushIdle' | 'engine'>,
  observe: Observe,
): ServerSession {
  let version: string | undefined;
  /** What the open connections began with; undefined when they are not to be trusted. */
  let began: string | undefined;

  return {
    async meet() {
      if (began === undefined) driver.flushIdle();
      const asked = await askServerVersion(driver);
      if (!asked.ok) return asked;
      const problem = supportProblem(asked.value);
      if (problem !== undefined) return err({ kind: 'unusable', message: problem });
      // What the connecting role has been told since is seen by new connections only. Otherwise they stay: to replace them
      // all at once under load is the dearest part of a reload.
      const { sessionSettings, text } = asked.value;
      if (began !== undefined && began !== sessionSettings) driver.flushIdle();
      began = sessionSettings;
      const isSameVersion = text === version;
      version = text;
      if (!isSameVersion) observe({ kind: 'database-connected', serverVersion: text, engine: driver.engine });
      return ok({ isSameVersion });
    },
    distrust() {
      began = undefined;
    },
    isTrusted: () => began !== undefined,
  };
}
