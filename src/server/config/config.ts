// The settings of the whole program: those of the REST service, and those of the parts around it.

import type { Check, Loaded } from '../../kernel/options/load.ts';
import { nearestName } from '../../kernel/options/nearest-name.ts';
import { type OptionTable, optionsIn, optionsOf } from '../../kernel/options/option.ts';
import { rawText } from '../../kernel/options/raw-value.ts';
import { byteSize } from '../../kernel/options/types/byte-size.ts';
import { oneOf } from '../../kernel/options/types/one-of.ts';
import { optional } from '../../kernel/options/types/optional.ts';
import { text } from '../../kernel/options/types/text.ts';
import { truth } from '../../kernel/options/types/truth.ts';
import { wholeNumber } from '../../kernel/options/types/whole-number.ts';
import { err, ok } from '../../kernel/result.ts';
import { trimEndOf } from '../../kernel/trim-end.ts';
import { REST_CHECKS } from '../../rest/config/checks.ts';
import type { RestConfig } from '../../rest/config/config.ts';
import { type ConfigInput, type ConfigResult, loadConfig } from '../../rest/config/load-config.ts';
import { REST_SECTIONS, restOptions } from '../../rest/config/rest-options.ts';
import { isPlainHttpAddress } from '../../rest/config/types/uri.ts';
import { type AccountRate, accountRate } from './account-rate.ts';
import { type BasemapsSetting, basemapsType, NO_BASEMAPS } from './basemap-option.ts';
import {
  chooseDatabase,
  DATABASE_SECTIONS,
  type DatabaseChoice,
  databaseOptions,
  isOwnDatabase,
  type OwnDatabase,
  oneDatabase,
} from './database-choice.ts';
import { embedHosts } from './embed-hosts.ts';
import { MAIL_SECTIONS, type MailConfig, mailIsComplete, mailOptions } from './mail-options.ts';
import { NO_PRESETS, type PresetsSetting, presetsType } from './preset-option.ts';
import { PROVIDER_SECTIONS, type ProviderConfig, providerIsComplete, providerOptions } from './provider-options.ts';
import { remoteHosts, remoteInternalHosts } from './remote-hosts-option.ts';
import { UPLOAD_SECTIONS, type UploadConfig, uploadOptions } from './upload-options.ts';

type ProgramConfig = {
  /** Undefined: as many as come. */
  readonly accountRateLimit: AccountRate | undefined;
  /** 0: for good. */
  readonly auditLogDays: number;
  /** Bytes; 0: no limit. */
  readonly storageQuota: number;
  /** Undefined: one is made up at the first start and shown once. */
  readonly adminPassword: string | undefined;
  /** Administrators without a second factor are ordinary accounts. */
  readonly adminSecondFactor: boolean;
  readonly apiPresets: PresetsSetting;
  readonly basemaps: BasemapsSetting;
  /** For which what was deleted rests in the bin; 0: it is deleted at once. */
  readonly binDays: number;
  readonly csvFormulaGuard: boolean;
  readonly dataDir: string;
  /** Seconds. */
  readonly dataDirWait: number;
  readonly embeddedBuffers: number;
  readonly defaultSharing: 'private' | 'public';
  readonly demo: boolean;
  /** Sites whose pages stories may show. */
  readonly embedHosts: readonly string[];
  readonly sqlConsole: boolean;
  readonly remoteHosts: readonly string[];
  readonly remoteInternalHosts: readonly string[];
  /** Several records of a collection in one PATCH or DELETE. */
  readonly enableBulkUpdate: boolean;
  /** Every record that passes a filter in one PATCH. */
  readonly enablePatchAll: boolean;
  /** Applications register themselves. */
  readonly clientRegistration: boolean;
  readonly geocoderUrl: string | undefined;
  /** In a second. */
  readonly geocoderRate: number;
  readonly geocoderRows: number;
  readonly historyDays: number;
  readonly historyEntries: number;
  readonly portalHost: string;
  readonly portalPort: number;
  /** Undefined: made from host and port. Without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** Of each part of an item; 0: none. */
  readonly versionEntries: number;
};

export type ServerConfig = RestConfig & ProgramConfig & DatabaseChoice & MailConfig & ProviderConfig & UploadConfig;

/** What one process runs. */
export type Services = 'all' | 'rest' | 'portal' | 'worker';

const PORTAL = 'Portal';
const portal = optionsIn(PORTAL, { reloadable: false });

/** In the order of the documentation page. */
export const SERVER_SECTIONS: readonly string[] = [
  PORTAL,
  ...DATABASE_SECTIONS,
  ...MAIL_SECTIONS,
  ...PROVIDER_SECTIONS,
  ...UPLOAD_SECTIONS,
  ...REST_SECTIONS,
];

const publicAddress = text({
  accepts: 'an absolute http or https address without user, query or fragment, such as https://maps.example.org',
  complaint: (value) => (isPlainHttpAddress(value) ? undefined : 'is not the address of a site'),
});

const programOptions: OptionTable<ProgramConfig> = {
  adminPassword: portal({
    name: 'admin-password',
    doc: 'Password of the account `admin` when it is created; without it one is made up and shown once.',
    type: optional(
      text({
        accepts: 'at least 8 characters, or @ and the path of a file',
        complaint: (value) => ([...value].length >= 8 ? undefined : 'is too short'),
      }),
    ),
    default: undefined,
    secret: true,
    onCommandLine: false,
    fileReference: true,
    example: '"@/run/secrets/admin"',
  }),
  adminSecondFactor: portal({
    name: 'admin-second-factor',
    doc: 'Whether administrators need a second factor. Who has none yet signs in as an ordinary account, sets one up on the account page, and is administrator from then on.',
    type: truth,
    default: false,
  }),
  apiPresets: portal({
    name: 'api-presets',
    doc: 'What `api_preset` in a query of the API stands for, beside the presets of MapStore’s client for GeoNode, which are packaged: names, each with the fields to include and to exclude.',
    type: presetsType,
    default: NO_PRESETS,
    fileReference: true,
    example: '"@/etc/survest/presets.json"',
  }),
  basemaps: portal({
    name: 'basemaps',
    doc: 'What maps can be drawn on besides the packaged map of the world: MapLibre styles, tiles by XYZ, WMTS or WMS, PMTiles archives. The pages may load from the sites named here, and from no other.',
    type: basemapsType,
    default: NO_BASEMAPS,
    fileReference: true,
    example: '"@/etc/survest/basemaps.json"',
  }),
  binDays: portal({
    name: 'bin-days',
    doc: 'Days for which what was deleted rests in the bin, from which its owner and administrators restore it; 0 deletes at once.',
    type: wholeNumber({ min: 0, max: 36_500 }),
    default: 30,
  }),
  clientRegistration: portal({
    name: 'client-registration',
    doc: 'Applications register themselves at `/o/register` (RFC 7591), as agents do that nobody has registered before. Each is a public client with PKCE, and is forgotten after 90 days. People are still asked before one acts for them, and shown where it would send them.',
    type: truth,
    default: false,
  }),
  csvFormulaGuard: portal({
    name: 'csv-formula-guard',
    doc: 'Layers downloaded as CSV, also by WFS, have an apostrophe before texts and names of columns that begin with `=`, `+`, `-`, `@`, a tab or a carriage return, so that no spreadsheet runs them as formulas. Numbers stay as they are. Switch it off where such files are read by programs or imported again. REST never changes values.',
    type: truth,
    default: true,
  }),
  dataDir: portal({
    name: 'data-dir',
    doc: 'Folder of the embedded database and of uploaded files.',
    type: text({ accepts: 'a path' }),
    default: './data',
  }),
  dataDirWait: portal({
    name: 'data-dir-wait',
    doc: 'Seconds that a start waits while another service has the embedded database of `data-dir` open, such as one that is being stopped. For a command that has it, such as a backup, it waits up to ten minutes.',
    type: wholeNumber({ min: 0, max: 3600, unit: 'seconds' }),
    default: 30,
  }),
  embeddedBuffers: portal({
    name: 'embedded-buffers',
    doc: 'Megabytes of memory in which the embedded database caches pages of its tables. All of it is taken at the start. More of it spares reads where large layers are asked for again and again.',
    type: wholeNumber({ min: 8, max: 1024, unit: 'megabytes' }),
    default: 32,
  }),
  defaultSharing: portal({
    name: 'default-sharing',
    doc: 'Whom what is saved or added in the pages is shared with unless the person chooses otherwise: `private` is the owner alone, `public` everybody. The API itself follows the settings of the portal.',
    type: oneOf(['private', 'public']),
    default: 'private',
  }),
  demo: portal({
    name: 'demo',
    doc: 'Puts a few layers and maps to look at into an empty embedded database.',
    type: truth,
    default: true,
  }),
  embedHosts: portal({
    name: 'embed-hosts',
    doc: 'Sites whose pages stories may show in a frame, by host name and over HTTPS. The content policy of the pages allows frames of these and of no others.',
    type: embedHosts,
    default: [],
    example: '"player.vimeo.com, www.youtube-nocookie.com"',
  }),
  sqlConsole: portal({
    name: 'sql-console',
    doc: 'Administrators run SQL on the page *API → SQL* and at `/api/v2/sql/`. Off, the database refuses it to them, and the page does not offer it.',
    type: truth,
    default: true,
  }),
  enableBulkUpdate: portal({
    name: 'enable-bulk-update',
    doc: 'Several records of a collection can be changed or deleted by one PATCH or DELETE.',
    type: truth,
    default: true,
  }),
  enablePatchAll: portal({
    name: 'enable-patch-all',
    doc: 'Every record that passes a filter can be changed by one PATCH with `patch-all`.',
    type: truth,
    default: false,
  }),
  accountRateLimit: portal({
    name: 'account-rate-limit',
    doc: 'Most requests to the portal and its map services in a time from one account, over all its sessions and tokens; more are answered 429 with `Retry-After`. Guessing names of accounts is slowed down whatever is set here. Visitors are counted by address. Each copy of the program counts by itself.',
    type: accountRate,
    default: undefined,
    example: '"600/min"',
  }),
  auditLogDays: portal({
    name: 'audit-log-days',
    doc: 'Days for which entries of the audit log are kept; 0 keeps them for good. Older ones are removed by a job, and each removal is an entry itself.',
    type: wholeNumber({ min: 0, max: 36_500 }),
    default: 365,
  }),
  historyDays: portal({
    name: 'history-days',
    doc: 'Days for which edits of the features of a layer are kept in its history.',
    type: wholeNumber({ min: 1, max: 36_500 }),
    default: 365,
  }),
  historyEntries: portal({
    name: 'history-entries',
    doc: 'Edits that are kept in the history of a layer, the newest ones; 0 keeps none. A statement that writes more than 500 features, and an import, is one entry.',
    type: wholeNumber({ min: 0, max: 1_000_000 }),
    default: 10_000,
  }),
  portalHost: portal({
    name: 'portal-host',
    doc: 'Where the portal listens; the same words as for `server-host`.',
    type: text({ accepts: 'a host name or address, or one of *, *4, !4, *6, !6' }),
    default: '!4',
  }),
  portalPort: portal({
    name: 'portal-port',
    doc: 'Port of the portal, its pages and its map services; 0 takes any free one.',
    type: wholeNumber({ min: 0, max: 65535 }),
    default: 8000,
  }),
  remoteHosts: portal({
    name: 'remote-hosts',
    doc: 'Hosts whose WMS, WMTS, XYZ, OGC API and ArcGIS services may be used in maps. The program asks them on behalf of the pages; `*.example.org` means every host below that domain. Addresses of private networks are refused whatever the name says.',
    type: remoteHosts,
    default: [],
    defaultWords: 'none: maps have layers of this portal alone',
    example: '"maps.example.org, *.example.net"',
  }),
  remoteInternalHosts: portal({
    name: 'remote-internal-hosts',
    doc: 'Hosts of your own network whose services may be used in maps as those of `remote-hosts`, named exactly and with their port where it is not 80 or 443. Everybody who sees the portal can then see what these services show.',
    type: remoteInternalHosts,
    default: [],
    example: '"gis.intern.example.org:8080"',
  }),
  storageQuota: portal({
    name: 'storage-quota',
    doc: 'How much space the layers and files of one account may take; uploads and documents beyond it are refused. 0 sets no limit. Administrators can give single accounts another one.',
    type: byteSize({ min: 0, max: 1024 ** 5 }),
    default: 0,
    defaultWords: 'no limit',
    example: '"10GB"',
  }),
  geocoderUrl: portal({
    name: 'geocoder-url',
    doc: 'Address of a service that finds addresses as Nominatim does (`/search?format=jsonv2`). The place search of the viewer asks it besides the packaged names of places, and whoever looks for the places of a table of addresses; what people search for is sent there by the server.',
    type: optional({
      ...publicAddress,
      parse(raw) {
        const address = publicAddress.parse(raw);
        return address.ok ? { ok: true, value: trimEndOf(address.value, '/') } : address;
      },
    }),
    default: undefined,
    defaultWords: 'none: packaged names alone',
    example: '"https://nominatim.example.org"',
  }),
  geocoderRate: portal({
    name: 'geocoder-rate',
    doc: 'How many addresses of tables are sent to `geocoder-url` in a second, by all who ask and all copies of the program together. Public services allow one. The search of places asks as often at most, for each copy; what is asked beyond that finds packaged names alone.',
    type: wholeNumber({ min: 1, max: 100, unit: 'requests a second' }),
    default: 1,
    example: '10',
  }),
  geocoderRows: portal({
    name: 'geocoder-rows',
    doc: 'How many rows of a table may have their addresses looked up by `geocoder-url` in one job.',
    type: wholeNumber({ min: 1, max: 500_000, unit: 'rows' }),
    default: 10_000,
    example: '100000',
  }),
  publicUrl: portal({
    name: 'public-url',
    doc: 'Address under which people reach the portal, when a proxy stands before it; links are made with it.',
    type: optional({
      ...publicAddress,
      parse(raw) {
        const address = publicAddress.parse(raw);
        return address.ok ? { ok: true, value: trimEndOf(address.value, '/') } : address;
      },
    }),
    default: undefined,
    defaultWords: 'the address the portal listens on',
    example: '"https://maps.example.org"',
  }),
  versionEntries: portal({
    name: 'version-entries',
    doc: 'Versions that are kept of the content, of the description and of each style of an item, the newest ones; 0 keeps none.',
    type: wholeNumber({ min: 0, max: 10_000 }),
    default: 50,
  }),
};

export const serverOptions: OptionTable<ServerConfig> = {
  ...restOptions,
  ...forWholeProgram(programOptions),
  ...forWholeProgram(mailOptions),
  ...forWholeProgram(providerOptions),
  ...forWholeProgram(uploadOptions),
  ...databaseOptions,
  dataDir: programOptions.dataDir,
};

/** Several databases are a matter of the REST service. */
function forWholeProgram<C>(table: OptionTable<C>): OptionTable<C> {
  const entries = optionsOf(table).map(([field, each]) => [
    field,
    each.kind === 'single' ? { ...each, inSections: false } : each,
  ]);
  return Object.fromEntries(entries) as OptionTable<C>; // the same fields
}

/** Every setting is known to every command, so that one file and one environment can serve them all. */
export async function loadServerConfig(services: Services, input: ConfigInput): Promise<ConfigResult<ServerConfig>> {
  const loaded = await loadConfig(
    serverOptions,
    [...REST_CHECKS, oneDatabase, storeHasKeys, mailIsComplete, providerIsComplete, ...checksFor(services)],
    input,
  );
  if (!loaded.ok) return loaded;
  const { sections } = loaded.value;
  const { section } = input;
  if (section !== undefined && !sections.includes(section)) {
    if (isOwnDatabase(section)) return loadServerConfig(services, withDatabase(input, section));
    return err([{ kind: 'no-such-section', name: section, near: nearestName(section, sections) }]);
  }
  if (section === undefined && loaded.value.config.serverHosts.length > 0) {
    const { serverHosts } = loaded.value.config;
    const { name, type } = serverOptions.serverHosts;
    const origin = loaded.value.origins.get(name);
    const complaint = 'is a setting of a section: there it says which hosts mean this database';
    return err([
      { kind: 'bad-value', option: name, origin, value: serverHosts.join(','), complaint, accepts: type.accepts },
    ]);
  }
  const chosen = chooseDatabase(loaded.value.config);
  if (!chosen.ok) return chosen;
  const whole = { ...loaded.value, config: chosen.value };
  return ok(services === 'all' || services === 'portal' ? { ...whole, config: besidePortal(whole) } : whole);
}

/** `--database local` where the file has no section of that name: the kind of database, and not one of several. */
function withDatabase({ section: _, ...input }: ConfigInput, database: OwnDatabase): ConfigInput {
  const { name } = databaseOptions.database;
  const given = { name, value: rawText(database), origin: { kind: 'argument', flag: `--${name}` } } as const;
  return { ...input, args: [...input.args, given] };
}

/** Beside a portal, the REST service serves the portal's layers to the portal's visitors unless it was told otherwise. */
function besidePortal({ config, origins }: Loaded<ServerConfig>): ServerConfig {
  return {
    ...config,
    dbSchemas: origins.has(serverOptions.dbSchemas.name) ? config.dbSchemas : ['layers'],
    dbRelationGuard: config.dbRelationGuard ?? 'portal.visible_relations',
    dbAnonRole: origins.has(serverOptions.dbAnonRole.name) ? config.dbAnonRole : 'survest_anon',
  };
}

function checksFor(services: Services): readonly Check<ServerConfig>[] {
  switch (services) {
    case 'all':
      return [portsDiffer];
    case 'portal':
    case 'worker':
      return [needsDatabase(services)];
    case 'rest':
      return [];
  }
}

const portsDiffer: Check<ServerConfig> = ({ portalPort, serverPort, serverUnixSocket, adminServerPort }) => {
  const others = [
    ['server-port', serverUnixSocket === undefined ? serverPort : undefined],
    ['admin-server-port', adminServerPort],
  ] as const;
  return others
    .filter(([, port]) => port !== 0 && port === portalPort)
    .map(([name]) => ({
      option: 'portal-port',
      involves: [name],
      complaint: `portal-port cannot be the same as ${name}`,
      accepts: `any port but ${portalPort}`,
    }));
};

const storeHasKeys: Check<ServerConfig> = ({ s3Bucket, s3AccessKey, s3SecretKey }) => {
  if (s3Bucket === undefined) return [];
  const missing = [
    ['s3-access-key', s3AccessKey],
    ['s3-secret-key', s3SecretKey],
  ] as const;
  return missing
    .filter(([, value]) => value === undefined)
    .map(([name]) => ({
      option: name,
      involves: ['s3-bucket'],
      complaint: `${name} is needed to use the bucket`,
      accepts: 'text, or @ and the path of a file',
    }));
};

function needsDatabase(services: Services): Check<ServerConfig> {
  return ({ dbUri, database }) =>
    dbUri === undefined && database !== 'local'
      ? [
          {
            option: 'db-uri',
            involves: [],
            complaint: `survest ${services} works on a PostgreSQL server, named by db-uri or run by database = local`,
            accepts: serverOptions.dbUri.type.accepts,
          },
        ]
      : [];
}
