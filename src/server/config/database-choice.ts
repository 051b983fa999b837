// Which database the program uses: the server that `db-uri` names, a private PostgreSQL server in the data folder, or the embedded engine
// there. What is not said follows from what the data folder holds, so that a start without a setting never begins with an empty database
// beside a full one.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ConfigError } from '../../kernel/options/config-error.ts';
import type { Check } from '../../kernel/options/load.ts';
import { type OptionTable, option } from '../../kernel/options/option.ts';
import { oneOf } from '../../kernel/options/types/one-of.ts';
import { optional } from '../../kernel/options/types/optional.ts';
import { text } from '../../kernel/options/types/text.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { isInUse } from '../../pg/data-folder/take-data-folder.ts';
import { hasCluster, localPlace, localUri } from '../../pg/local/local-place.ts';

export type OwnDatabase = 'embedded' | 'local';

export type DatabaseChoice = {
  /** Undefined: as the data folder has it; once settings are loaded, that `db-uri` names a server. */
  readonly database: OwnDatabase | undefined;
  /** Folder of `postgres` and `initdb`; undefined: they are looked for. */
  readonly pgBin: string | undefined;
};

const OWN_DATABASES: readonly OwnDatabase[] = ['embedded', 'local'];

export function isOwnDatabase(name: string): name is OwnDatabase {
  return OWN_DATABASES.some((each) => each === name);
}

export const DATABASE_SECTIONS: readonly string[] = ['Database of its own'];

const [SECTION = ''] = DATABASE_SECTIONS;

export const databaseOptions: OptionTable<DatabaseChoice> = {
  database: option({
    name: 'database',
    section: SECTION,
    doc: 'Without a `db-uri`, the program keeps a database of its own in `data-dir`: `embedded` is PostgreSQL in the process of the program, for trying out and small portals; `local` is a private PostgreSQL server that the program starts and stops, where PostgreSQL with PostGIS is installed on the machine. `survest move` goes from one to the other.',
    type: optional(oneOf(OWN_DATABASES)),
    default: undefined,
    defaultWords: 'what `data-dir` holds; the embedded database where it holds none',
    reloadable: false,
    example: '"local"',
  }),
  pgBin: option({
    name: 'pg-bin',
    section: SECTION,
    doc: 'Folder of the programs `postgres` and `initdb` for `database = local`.',
    type: optional(text({ accepts: 'a path' })),
    default: undefined,
    defaultWords: 'the newest release with PostGIS on the PATH or where packages install it',
    reloadable: false,
    example: '"/usr/lib/postgresql/17/bin"',
  }),
};

export const oneDatabase: Check<DatabaseChoice & { readonly dbUri: string | undefined }> = ({ database, dbUri }) =>
  database === undefined || dbUri === undefined
    ? []
    : [
        {
          option: databaseOptions.database.name,
          involves: ['db-uri'],
          complaint: 'database and db-uri name two databases',
          accepts: 'one of the two',
        },
      ];

type Choosable = DatabaseChoice & { readonly dataDir: string; readonly dbUri: string | undefined };

/** With `database` and `db-uri` as they are in force: of a local server, `db-uri` is its address. */
export function chooseDatabase<C extends Choosable>(config: C): Result<C, readonly ConfigError[]> {
  const { dataDir, database, dbUri } = config;
  if (dbUri !== undefined) return ok(config);
  const chosen = database === undefined ? foundIn(dataDir) : ok(database);
  if (!chosen.ok) return err([wrong(chosen.error)]);
  if (chosen.value === 'embedded') return ok({ ...config, database: 'embedded' });
  return ok({ ...config, database: 'local', dbUri: localUri(localPlace(dataDir)) });
}

/** For who reads what is there; undefined: there is a database, somebody makes one, or it is a server's own to say. */
export function whyNothingThere({ dataDir, database, dbUri }: Choosable): string | undefined {
  const isOurs = dbUri === undefined || database === 'local';
  if (!isOurs || holdsEmbedded(dataDir) || hasCluster(dataDir) || isInUse(dataDir)) return undefined;
  return `there is no database in the data folder "${resolve(dataDir)}": name that of the program with --data-dir, or its server with --db-uri`;
}

/**
 * Why the database of the settings is not to be made: the data folder holds another one, which people take for theirs.
 * Undefined: there is nothing in the way.
 */
export function whyNotBegun({ dataDir, database }: Choosable): string | undefined {
  const hasEmbedded = holdsEmbedded(dataDir);
  const hasLocal = hasCluster(dataDir);
  if (database === 'local' && hasEmbedded && !hasLocal)
    return `the data folder "${resolve(dataDir)}" holds an embedded database, which database = local would not show: "survest move --to local" takes it over; or choose another data-dir`;
  if (database === 'embedded' && hasLocal && !hasEmbedded)
    return `the data folder "${resolve(dataDir)}" holds the database of a local PostgreSQL server, which database = embedded would not show: leave the setting out, or "survest move --to embedded" takes it over`;
  return undefined;
}

function foundIn(dataDir: string): Result<OwnDatabase, string> {
  if (!hasCluster(dataDir)) return ok('embedded');
  if (!holdsEmbedded(dataDir)) return ok('local');
  return err(
    `the data folder "${resolve(dataDir)}" holds an embedded database and the one of a local PostgreSQL server: say which (--database embedded, --database local)`,
  );
}

function holdsEmbedded(dataDir: string): boolean {
  return existsSync(join(resolve(dataDir), 'database', 'PG_VERSION'));
}

function wrong(complaint: string): ConfigError {
  return {
    kind: 'bad-value',
    option: databaseOptions.database.name,
    origin: undefined,
    value: undefined,
    complaint,
    accepts: OWN_DATABASES.join(' or '),
  };
}
