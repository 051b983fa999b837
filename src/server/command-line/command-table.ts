// The commands of the program: what each takes and what its help says. Parsing and help are both made from this table.

import type { Services } from '../config/config.ts';

export type CommandName =
  | 'survest'
  | 'rest'
  | 'portal'
  | 'worker'
  | 'user create'
  | 'user passwd'
  | 'user list'
  | 'migrate'
  | 'import'
  | 'process'
  | 'doctor'
  | 'backup'
  | 'restore'
  | 'move'
  | 'status'
  | 'maintenance on'
  | 'maintenance read-only'
  | 'maintenance off'
  | 'types'
  | 'live install'
  | 'live remove'
  | 'live status';

/** Commands that are told apart by a second word, and what they are about. */
export const COMMAND_FAMILIES = {
  user: 'accounts of the portal',
  live: 'tables that live streams follow',
  maintenance: 'the mode of service: read-only, or closed to all but administrators',
} as const;

export type CommandFamily = keyof typeof COMMAND_FAMILIES;

/** What `--help` can be asked about; a family is all commands of that name. */
export type HelpTopic = CommandName | CommandFamily;

export type FlagSpec = {
  readonly name: string;
  readonly short?: string;
  /** Label of the value; absent: the flag takes none. */
  readonly value?: string;
  /** The only values it takes; the first is meant where it is not given. */
  readonly choices?: readonly string[];
  /** Another flag that it makes no sense without. */
  readonly needs?: string;
  /** Another flag that says the contrary. */
  readonly excludes?: string;
  readonly doc: string;
};

type OperandSpec = {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly doc: string;
};

export type CommandSpec = {
  readonly name: CommandName;
  readonly summary: string;
  /** A few sentences under the usage line. */
  readonly about: string;
  readonly operand: OperandSpec | undefined;
  readonly flags: readonly FlagSpec[];
  /** Settings worth naming in the help; every command takes all of them. */
  readonly settings: readonly string[];
  readonly examples: readonly (readonly [line: string, why: string])[];
};

const CONFIG_OPERAND: OperandSpec = { label: 'FILE', min: 0, max: 1, doc: 'configuration file' };

/** Flags of every command. */
export const COMMON_FLAGS: readonly FlagSpec[] = [
  { name: 'help', short: 'h', doc: 'show this help' },
  { name: 'version', short: 'v', doc: 'show the version' },
  { name: 'config', short: 'c', value: 'FILE', doc: 'configuration file' },
  {
    name: 'database',
    value: 'NAME',
    doc: 'local or embedded: the kind of database that the program keeps itself; or the section of the file to use, where it has one for each of several',
  },
];

/** Flags that do something else instead of running the services. */
const MODE_FLAGS: readonly FlagSpec[] = [
  { name: 'example', short: 'e', doc: 'print a commented sample configuration file' },
  { name: 'dump-config', doc: 'print the settings in force, secrets included, as a configuration file' },
  { name: 'dump-schema', doc: 'print the schema cache as JSON' },
  { name: 'ready', doc: 'ask the admin server of the running program whether it is ready' },
];

export const MODES: readonly string[] = MODE_FLAGS.map((flag) => flag.name);

export type TypesFormat = 'typescript' | 'json-schema';

const TYPES_FORMATS: readonly TypesFormat[] = ['typescript', 'json-schema'];

const PASSWORD_STDIN: FlagSpec = { name: 'password-stdin', doc: 'read the password from standard input, do not ask' };

const ACCOUNT: OperandSpec = { label: 'NAME', min: 1, max: 1, doc: 'name of the account' };

const TABLES: OperandSpec = { label: 'TABLE…', min: 1, max: 1000, doc: 'name of a table, with its schema or without' };

const MESSAGE: FlagSpec = {
  name: 'message',
  value: 'TEXT',
  doc: 'what people are told, in one line; a plain sentence when not said',
};

const PRINT: FlagSpec = { name: 'print', doc: 'write the SQL to standard output instead of running it' };

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'survest',
    summary: 'everything: portal, map services, REST service and jobs',
    about:
      'Without a db-uri the program brings its own database, kept in data-dir. The portal is then at http://localhost:8000, the REST service at http://localhost:3000.',
    operand: CONFIG_OPERAND,
    flags: MODE_FLAGS,
    settings: ['db-uri', 'data-dir', 'portal-port', 'server-port', 'public-url', 'demo', 'log-level'],
    examples: [
      ['survest', 'try it: portal on :8000, REST service on :3000'],
      ['survest --database local', 'on a PostgreSQL server of its own, where PostgreSQL with PostGIS is installed'],
      ['survest --no-demo --data-dir /var/lib/survest', 'start empty, keep the data elsewhere'],
      ['SVRST_DB_URI=postgresql://… survest survest.conf', 'on your own database'],
    ],
  },
  {
    name: 'rest',
    summary: 'the REST service alone, over any database',
    about:
      'Takes the configuration file and the PGRST_ variables of PostgREST as they are. Signals: SIGUSR1 reloads the schema cache, SIGUSR2 the settings.',
    operand: CONFIG_OPERAND,
    flags: MODE_FLAGS,
    settings: ['db-uri', 'db-schemas', 'db-anon-role', 'server-host', 'server-port', 'admin-server-port', 'log-level'],
    examples: [
      ['survest rest postgrest.conf', 'what postgrest postgrest.conf did'],
      ['survest rest --db-uri postgresql:///app --db-anon-role web_anon', 'without a file'],
      ['survest rest --dump-config postgrest.conf', 'see what a file amounts to'],
    ],
  },
  {
    name: 'portal',
    summary: 'the portal and the map services, on a database of your own',
    about: 'For several copies behind a balancer. Needs db-uri; uploads are finished by a worker.',
    operand: CONFIG_OPERAND,
    flags: MODE_FLAGS.filter((flag) => flag.name !== 'dump-schema'),
    settings: ['db-uri', 'portal-host', 'portal-port', 'public-url', 'data-dir', 'log-level'],
    examples: [['survest portal survest.conf', 'with the database that survest.conf names']],
  },
  {
    name: 'worker',
    summary: 'only jobs: imports, thumbnails',
    about: 'Takes jobs from the queue in the database; run as many as you like. Needs db-uri.',
    operand: CONFIG_OPERAND,
    flags: MODE_FLAGS.filter((flag) => flag.name !== 'dump-schema'),
    settings: ['db-uri', 'data-dir', 'log-level'],
    examples: [['survest worker survest.conf', 'one more pair of hands']],
  },
  {
    name: 'user create',
    summary: 'create an account of the portal',
    about: 'Asks for the password, unless --password-stdin.',
    operand: ACCOUNT,
    flags: [
      { name: 'admin', doc: 'the account may do everything' },
      { name: 'email', value: 'ADDRESS', doc: 'mail address of the account' },
      PASSWORD_STDIN,
    ],
    settings: ['db-uri', 'data-dir'],
    examples: [
      ['survest user create ada --email ada@example.org', 'asks for a password'],
      ['survest user create root --admin --password-stdin < secret.txt', 'for scripts'],
    ],
  },
  {
    name: 'user passwd',
    summary: 'change the password of an account',
    about: 'Asks for the new password, unless --password-stdin. Ends the sessions of the account.',
    operand: ACCOUNT,
    flags: [PASSWORD_STDIN],
    settings: ['db-uri', 'data-dir'],
    examples: [['survest user passwd ada', 'asks for the new password']],
  },
  {
    name: 'user list',
    summary: 'list the accounts',
    about: 'One line per account: name, kind, mail address.',
    operand: undefined,
    flags: [{ name: 'json', doc: 'as JSON' }],
    settings: ['db-uri', 'data-dir'],
    examples: [['survest user list --json', 'for scripts']],
  },
  {
    name: 'migrate',
    summary: 'bring the database to this version',
    about:
      'The program does this itself when it starts; run it ahead when a deployment wants it apart. With db-event-trigger it also makes the database announce changes of the schema to REST services, for which the account must be a superuser.',
    operand: CONFIG_OPERAND,
    flags: [
      { name: 'rest-only', doc: 'leave the portal out: the database is for the REST service alone' },
      { name: 'remove-event-trigger', doc: 'take away what db-event-trigger made' },
      {
        name: 'accept',
        value: 'CHANGE',
        doc: 'take a change for applied whose file has changed since, because you know that the difference does not matter',
      },
    ],
    settings: ['db-uri', 'data-dir', 'db-event-trigger', 'db-channel'],
    examples: [
      ['survest migrate survest.conf', 'before the new version starts'],
      ['survest migrate --rest-only --db-event-trigger', 'announce changes of the schema'],
    ],
  },
  {
    name: 'import',
    summary: 'import files as layers',
    about:
      'Each file becomes a layer, as if it had been uploaded: all of it, or nothing. The parts of a shapefile are found beside its .shp.',
    operand: {
      label: 'FILE…',
      min: 1,
      max: Number.POSITIVE_INFINITY,
      doc: 'shapefile (zipped or .shp), GeoPackage, GeoJSON, KML, KMZ, CSV, Excel, GML, FlatGeobuf, GPX, GeoTIFF',
    },
    flags: [
      { name: 'title', value: 'TEXT', doc: 'title of the layer, when there is one file' },
      { name: 'as', value: 'NAME', doc: 'account that owns the layers (admin when not said)' },
      { name: 'crs', value: 'CODE', doc: 'coordinate system of data that do not say it, like EPSG:25832' },
      { name: 'charset', value: 'NAME', doc: 'character set of data that do not say it' },
      { name: 'x-column', value: 'COLUMN', doc: 'column of a table with longitudes or eastings' },
      { name: 'y-column', value: 'COLUMN', doc: 'column of a table with latitudes or northings' },
    ],
    settings: ['db-uri', 'data-dir', 'import-gdal'],
    examples: [
      ['survest import rivers.gpkg roads.zip --as ada', 'two layers'],
      ['survest import stops.csv --title "Bus stops" --crs EPSG:25832', 'a table'],
    ],
  },
  {
    name: 'process',
    summary: 'make a layer of layers',
    about:
      'Runs a process of OGC API Processes as an account: all of it, or nothing. Without a name it lists the processes and their inputs. Layers are named by id or name, several with commas between.',
    operand: {
      label: 'PROCESS [INPUT=VALUE…]',
      min: 0,
      max: Number.POSITIVE_INFINITY,
      doc: 'name of the process, and a value for each of its inputs',
    },
    flags: [
      { name: 'title', value: 'TEXT', doc: 'title of the layer' },
      { name: 'as', value: 'NAME', doc: 'account that asks, and owns the layer (admin when not said)' },
    ],
    settings: ['db-uri', 'data-dir'],
    examples: [
      ['survest process', 'which processes there are, and what they need'],
      ['survest process buffer layer=stops distance=500 --title "Near a stop" --as ada', 'a layer of areas'],
    ],
  },
  {
    name: 'doctor',
    summary: 'check that database, files and jobs fit together, and say what does not',
    about:
      'Looks for tables without a layer, layers without data, files that nothing refers to, files that are missing, imports that nobody works on, totals that are wrong, copies of the program that are silent or of another version, jobs that nobody begins, replicas that lag, accounts above their quota, and roles of the REST service without a statement timeout. Changes nothing without --fix. Exits with 1 when something is wrong.',
    operand: CONFIG_OPERAND,
    flags: [
      { name: 'fix', doc: 'put right what can be put right without losing anything' },
      { name: 'json', doc: 'as JSON' },
    ],
    settings: ['db-uri', 'data-dir'],
    examples: [
      ['survest doctor survest.conf', 'before asking for help'],
      ['survest doctor --fix', 'after a crash'],
    ],
  },
  {
    name: 'backup',
    summary: 'write database and files of the portal into one archive, while it runs',
    about:
      'The database is read in one snapshot, with the files that belong to it, and everything that was written is read again and compared. With --to the backup goes into a folder or bucket that keeps many, and what an earlier one has kept is not written again. Works beside a running program, embedded database included.',
    operand: { label: 'ARCHIVE', min: 0, max: 1, doc: 'tar file to write; it must not be there yet' },
    flags: [
      { name: 'to', value: 'PLACE', doc: 'folder or s3://bucket/prefix that keeps many backups, instead of ARCHIVE' },
      { name: 'keep', value: 'N', needs: 'to', doc: 'remove all but the newest N backups of the place afterwards' },
      { name: 'list', needs: 'to', doc: 'list the backups of the place, and make none' },
    ],
    settings: ['db-uri', 'data-dir', 's3-bucket', 's3-endpoint'],
    examples: [
      ['survest backup /backups/monday.tar', 'one archive'],
      ['survest backup --to /backups --keep 14 --config survest.conf', 'every night: what has changed'],
      ['survest backup --to s3://backups/portal', 'the same in a bucket'],
    ],
  },
  {
    name: 'restore',
    summary: 'put a backup back into an empty place',
    about:
      'Into the database of db-uri, which must be empty, or into data-dir; files into the place of the settings. All of it or nothing: tables and files are compared with the backup before it counts. Backups of earlier releases are brought to this version.',
    operand: { label: 'ARCHIVE', min: 1, max: 1, doc: 'tar file, folder, or s3://bucket/prefix' },
    flags: [
      { name: 'backup', value: 'NAME', doc: 'which backup of a folder or bucket; the newest when not said' },
      { name: 'check', doc: 'read everything and compare its checksums, and put nothing back' },
    ],
    settings: ['db-uri', 'data-dir', 's3-bucket', 's3-endpoint'],
    examples: [
      ['survest restore /backups/monday.tar --data-dir /var/lib/survest', 'into the embedded database'],
      ['survest restore /backups --check', 'is the newest one whole?'],
    ],
  },
  {
    name: 'move',
    summary: 'move the portal from one kind of database to another',
    about:
      'Copies database and files to another place, compares every table and every file, and leaves the old place as it is. No program may be running on it. What a move that was broken off has copied is compared and used by the next.',
    operand: CONFIG_OPERAND,
    flags: [
      {
        name: 'to',
        value: 'PLACE',
        doc: 'local or embedded (in data-dir), local:DIR, embedded:DIR, or postgresql://… (an empty database)',
      },
      {
        name: 'files-to',
        value: 'PLACE',
        doc: 'data-dir or s3://bucket/prefix for the files; they stay where they are when it is not said, and go to DIR with local:DIR and embedded:DIR',
      },
    ],
    settings: ['db-uri', 'data-dir', 's3-bucket', 's3-endpoint'],
    examples: [
      ['survest move --to postgresql://portal@db/portal --files-to /srv/survest', 'from embedded to PostgreSQL'],
      ['survest move --to embedded:/var/lib/survest survest.conf', 'and back'],
      ['survest move --to local', 'from embedded to a PostgreSQL server of its own; or that one to the newest release'],
    ],
  },
  {
    name: 'status',
    summary: 'show how the program runs: copies, jobs, replicas, space, mode',
    about:
      'Copies of the program with their version and last sign of life, queues of jobs with the failed ones, replicas and their lag, space of database, layers and files, and the mode of service. What needs a person is named with its remedy, and the command then exits with 1.',
    operand: CONFIG_OPERAND,
    flags: [{ name: 'json', doc: 'as JSON' }],
    settings: ['db-uri', 'data-dir'],
    examples: [
      ['survest status survest.conf', 'at a glance'],
      ['survest status --json survest.conf', 'for scripts'],
    ],
  },
  {
    name: 'maintenance on',
    summary: 'close the portal to everybody but administrators, with a message',
    about:
      'Kept in the database, so that all copies of the program follow within seconds. Requests are answered 503 with the message, as a page or as JSON; administrators can sign in and work. Health checks go on; no further job is begun.',
    operand: CONFIG_OPERAND,
    flags: [MESSAGE],
    settings: ['db-uri', 'data-dir'],
    examples: [['survest maintenance on --message "Back at 18:00 UTC." survest.conf', 'for everybody to read']],
  },
  {
    name: 'maintenance read-only',
    summary: 'refuse every change, with a message; reading goes on',
    about:
      'Kept in the database, which refuses writes from then on, of administrators as well; those that have begun may end. A message stands on every page. Signing in goes on; no further job is begun.',
    operand: CONFIG_OPERAND,
    flags: [MESSAGE],
    settings: ['db-uri', 'data-dir'],
    examples: [['survest maintenance read-only --message "We are moving." survest.conf', 'before a move']],
  },
  {
    name: 'maintenance off',
    summary: 'open everything again',
    about: 'Jobs that waited are begun.',
    operand: CONFIG_OPERAND,
    flags: [],
    settings: ['db-uri', 'data-dir'],
    examples: [['survest maintenance off survest.conf', 'when it is done']],
  },
  {
    name: 'types',
    summary: 'write types of the REST service for its clients: TypeScript or JSON Schema',
    about:
      'Tables, views, functions and relationships of the exposed schemas, as postgrest-js and supabase-js take them. Takes the settings of survest rest. The same schema gives the same text; a file that would not change is left alone.',
    operand: CONFIG_OPERAND,
    flags: [
      {
        name: 'format',
        value: 'FORMAT',
        choices: TYPES_FORMATS,
        doc: 'typescript (when not said) or json-schema',
      },
      { name: 'output', short: 'o', value: 'PATH', doc: 'file to write; standard output when not said' },
      { name: 'schema', value: 'NAME', doc: 'only this one of the exposed schemas; may be given several times' },
      { name: 'watch', needs: 'output', doc: 'go on, and write again when the schema has changed' },
    ],
    settings: ['db-uri', 'db-schemas', 'db-channel'],
    examples: [
      ['survest types -o database.types.ts rest.conf', 'for postgrest-js'],
      ['survest types -o database.types.ts --watch rest.conf', 'while developing'],
      ['survest types --format json-schema --schema api', 'for other languages'],
    ],
  },
  {
    name: 'live install',
    summary: 'record changes of tables, so that clients can follow their rows',
    about:
      'Makes the schema survest_live with a change log, and puts the tables into the publication survest_live, which the service follows by logical decoding; or, where the server does not allow that, triggers on the tables that write into the log. Either way it is the keys of changed rows, not what is in them. Tables that are followed already stay as they are, unless --decoding or --triggers is said. Needs the rights of the owner of the tables. A name without a schema is in the first one of db-schemas.',
    operand: TABLES,
    flags: [
      {
        name: 'for',
        value: 'ROLE',
        doc: 'role that the service connects as and that may read the log; when not said, that of the running service, or else that of db-uri',
      },
      { name: 'role', value: 'ROLE', excludes: 'for', doc: 'the same as --for' },
      { name: 'decoding', doc: 'by logical decoding: writers pay nothing; needs wal_level = logical and REPLICATION' },
      { name: 'triggers', excludes: 'decoding', doc: 'by triggers, whatever the server allows' },
      PRINT,
    ],
    settings: ['db-uri', 'data-dir', 'db-schemas', 'db-anon-role', 'live-replication-uri'],
    examples: [
      ['survest live install place visit -c rest.conf', 'two tables of the first exposed schema'],
      ['survest live install api.place --print -c rest.conf | psql -U owner app', 'where the service is not the owner'],
    ],
  },
  {
    name: 'live remove',
    summary: 'no longer record changes of tables',
    about: 'Takes the triggers off the tables, and the tables out of the publication. Live streams of them end.',
    operand: TABLES,
    flags: [PRINT],
    settings: ['db-uri', 'data-dir', 'db-schemas'],
    examples: [['survest live remove place -c rest.conf', 'one table']],
  },
  {
    name: 'live status',
    summary: 'list the tables whose changes are recorded',
    about:
      'One line per table, then how many entries the change log has (those of the last minutes), and who may read it. Where tables are followed by logical decoding: whether its slots work, and how far behind they are.',
    operand: undefined,
    flags: [{ name: 'json', doc: 'as JSON' }],
    settings: ['db-uri', 'data-dir'],
    examples: [['survest live status --json -c rest.conf', 'for scripts']],
  },
];

/** Which services a command runs, for its settings and their checks. */
export function servicesOf(name: CommandName): Services {
  if (name === 'types') return 'rest';
  return name === 'rest' || name === 'portal' || name === 'worker' ? name : 'all';
}
