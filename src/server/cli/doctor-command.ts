// survest doctor: does what is stored fit together? Names everything that does not, and puts right what can be put right
// without losing anything, where that is asked for.

import { makeCallerDb } from '../../auth/caller-db.ts';
import { checkS3Store } from '../../blobs/s3.ts';
import { openJobs } from '../../jobs/open-jobs.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { EngineChoice } from '../../mapserver/import/import-task.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { examine } from '../../portal/uploads/examine.ts';
import type { Finding } from '../../portal/uploads/finding.ts';
import { anonymousRoleProblem } from '../../rest/lifecycle/anonymous-role.ts';
import { rolesWithoutTimeout } from '../../rest/lifecycle/roles-without-timeout.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import type { ServerConfig } from '../config/config.ts';
import type { OpenedDatabase } from '../open-database.ts';
import { openBlobStore } from '../portal/open-blob-store.ts';
import { chooseEngine, STALE_MS } from '../portal/open-imports.ts';

export type DoctorCommand = Extract<Command, { kind: 'doctor' }>;

export type DoctorParts = {
  readonly config: ServerConfig;
  readonly open: () => Promise<Result<OpenedDatabase, { readonly message: string }>>;
  /** What the database lacks of this version. */
  readonly missing: (driver: Driver) => Promise<Result<readonly string[], { readonly message: string }>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

/** Files are written some time before what refers to them; where nobody else can be at work, none are just being written. */
const ORPHAN_AGE_MS = 3600 * 1000;

export async function runDoctorCommand(command: DoctorCommand, parts: DoctorParts): Promise<ExitCode> {
  const { config, out } = parts;
  const complain = (message: string): ExitCode => {
    parts.err(`survest doctor: ${message}\n`);
    return EXIT.failed;
  };
  const opened = await parts.open();
  if (!opened.ok) return complain(opened.error.message);
  const { driver, isShared } = opened.value;
  try {
    const versions = await driver.execute([
      {
        text: `select current_setting('server_version'), (select extversion from pg_catalog.pg_extension where extname = 'postgis'),
                      to_regclass('portal.resource') is not null`,
        params: [],
      },
    ]);
    if (!versions.ok) return complain(`the database cannot be used: ${said(versions.error)}`);
    const [[server, postgis, hasPortal] = []] = versions.value.flatMap(textRows);
    const endless = await endlessStatements(driver, config, hasPortal === 't');
    if (!endless.ok) return complain(`the database could not be looked at: ${said(endless.error)}`);
    const ofRest = [...(await anonymousRole(driver, config)), ...endless.value];
    if (hasPortal !== 't') {
      if (command.json) out(`${JSON.stringify({ server, postgis, findings: ofRest }, null, 2)}\n`);
      else {
        out(`PostgreSQL ${server}${config.dbUri === undefined ? ' (embedded)' : ''}, without a portal\n`);
        for (const { text } of ofRest) out(`${text}\n`);
        if (endless.value.length === 0) out('requests of the REST service have a statement timeout\n');
      }
      return ofRest.length === 0 ? EXIT.done : EXIT.failed;
    }
    const missing = await parts.missing(driver);
    if (!missing.ok) return complain(missing.error.message);
    if (missing.value.length > 0)
      return complain('the database is not at this version: survest migrate brings it there');
    const db = makeCallerDb(driver);
    const blobs = await openBlobStore(config, db);
    if (config.s3Bucket !== undefined) {
      const reached = await checkS3Store(blobs);
      if (!reached.ok)
        return complain(
          `the bucket cannot be used: ${'message' in reached.error ? reached.error.message : reached.error.kind}`,
        );
    }
    const engine = await chooseEngine({ ...config, importGdal: 'auto' }, command.file);
    const gdal: EngineChoice = engine.ok ? engine.value : { kind: 'wasm' };
    const jobs = command.fix ? await openJobs({ driver }) : undefined;
    const examined = await examine({
      db,
      blobs,
      ...(jobs === undefined ? {} : { fix: { jobs } }),
      orphanAgeMs: isShared ? ORPHAN_AGE_MS : 0,
      staleMs: isShared ? STALE_MS : 0,
      now: Date.now(),
    });
    await jobs?.stop();
    if (!examined.ok) return complain(`the database could not be looked at: ${said(examined.error)}`);
    const findings = [...ofRest, ...examined.value];
    if (command.json) out(`${JSON.stringify({ server, postgis, gdal: gdal.kind, findings }, null, 2)}\n`);
    else {
      out(`PostgreSQL ${server}${config.dbUri === undefined ? ' (embedded)' : ''}, PostGIS ${postgis ?? 'missing'}, `);
      out(`GDAL ${gdal.kind === 'native' ? 'of this machine, in a sandbox' : 'that comes with Survest'}\n`);
      if (gdal.kind === 'wasm' && gdal.why !== undefined) out(`GDAL of this machine is not used: ${gdal.why}\n`);
      for (const finding of findings) out(`${line(finding, command.fix)}\n`);
      out(findings.length === 0 ? 'everything fits together\n' : '');
    }
    return findings.every(({ isFixed }) => isFixed) ? EXIT.done : EXIT.failed;
  } finally {
    await opened.value.close();
  }
}

/** A portal has a timeout unless it was switched off; `survest rest` alone has none, as PostgREST has none. */
async function endlessStatements(
  driver: Driver,
  { dbStatementTimeout, dbAnonRole }: ServerConfig,
  hasPortal: boolean,
): Promise<Result<readonly DoctorFinding[], DbError>> {
  const isLimited = dbStatementTimeout === undefined ? hasPortal : dbStatementTimeout > 0;
  if (isLimited) return ok([]);
  const roles = await rolesWithoutTimeout(driver, dbAnonRole);
  if (!roles.ok) return roles;
  const [first] = roles.value;
  if (first === undefined) return ok([]);
  const text =
    `NO STATEMENT TIMEOUT: one request can keep a connection of the database busy for ever, as ${roles.value.join(', ')}. ` +
    `Set db-statement-timeout = 30, or: alter role "${first.replaceAll('"', '""')}" set statement_timeout = '30s'`;
  return ok([{ kind: 'no-statement-timeout', what: roles.value.join(', '), text, canFix: false, isFixed: false }]);
}

async function anonymousRole(driver: Driver, { dbAnonRole }: ServerConfig): Promise<readonly DoctorFinding[]> {
  const text = await anonymousRoleProblem(driver, dbAnonRole);
  return text === undefined
    ? []
    : [{ kind: 'anonymous-role', what: dbAnonRole ?? '', text, canFix: false, isFixed: false }];
}

type DoctorFinding = Omit<Finding, 'kind'> & {
  readonly kind: Finding['kind'] | 'anonymous-role' | 'no-statement-timeout';
};

function line({ text, canFix, isFixed }: DoctorFinding, fixes: boolean): string {
  if (isFixed) return `${text} (put right)`;
  return canFix && !fixes ? `${text} (--fix puts it right)` : text;
}

function said(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}
