// What bounds each table of the program, in one place. A test compares it with the catalogue of a migrated database, so that a new table has to be named here;
// docs/operations.md shows it.

type Bound =
  /** Goes with what it belongs to, and has so many rows of it at most. */
  | { readonly kind: 'with'; readonly owner: string; readonly most?: string }
  /** A job takes away what is past its bound. */
  | { readonly kind: 'swept'; readonly by: string; readonly bound: string }
  /** As many as people have made and not deleted. */
  | { readonly kind: 'content' }
  /** So many rows, whatever happens. */
  | { readonly kind: 'fixed'; readonly rows: string };

export type TableBound = { readonly tables: readonly string[]; readonly bound: Bound };

const WITH = (owner: string, most?: string): Bound => ({
  kind: 'with',
  owner,
  ...(most === undefined ? {} : { most }),
});
const SWEPT = (bound: string, by: string): Bound => ({ kind: 'swept', bound, by });
const FIXED = (rows: string): Bound => ({ kind: 'fixed', rows });
const CONTENT: Bound = { kind: 'content' };

export const TABLE_BOUNDS: readonly TableBound[] = [
  {
    tables: [
      'portal.account',
      'portal.user_group',
      'portal.resource',
      'portal.category',
      'portal.group_category',
      'portal.keyword',
      'portal.license',
      'portal.region',
      'portal.restriction_code_type',
      'portal.spatial_representation_type',
      'portal.style',
      'portal.thesaurus',
      'portal.thesaurus_keyword',
      'portal_private.comment',
      'portal_private.remote_service',
    ],
    bound: CONTENT,
  },
  {
    tables: [
      'portal.account_detail',
      'portal_private.approval_letter',
      'portal_private.code_try',
      'portal_private.confirmed_email',
      'portal_private.credential',
      'portal_private.storage_quota',
      'portal_private.totp',
    ],
    bound: WITH('the account', 'one row'),
  },
  { tables: ['portal.preference'], bound: WITH('the account', 'a row for each known name') },
  {
    tables: ['portal_private.sent_file'],
    bound: SWEPT('7 days without a part, and 100 for each account', 'the hourly sweep of the portal'),
  },
  {
    tables: [
      'portal_private.notification_choice',
      'portal_private.passkey',
      'portal_private.provider_identity',
      'portal_private.recovery_code',
    ],
    bound: WITH('the account'),
  },
  {
    tables: [
      'portal_private.follow',
      'portal_private.follow_owner',
      'portal_private.follow_group',
      'portal_private.rating',
      'portal.favourite',
    ],
    bound: WITH('the account and what it is about', 'one row for both'),
  },
  {
    tables: ['portal.group_member', 'portal.group_invitation', 'portal.group_in_category', 'portal.group_keyword'],
    bound: WITH('the group', 'one row for each account, name or word'),
  },
  {
    tables: [
      'portal.app_data',
      'portal.document_file',
      'portal.raster',
      'portal.thumbnail',
      'portal_private.bin',
      'portal_private.layer_table',
      'portal_private.overview',
      'portal_private.parts_stamp',
      'portal_private.registered_table',
      'portal_private.remote_layer',
      'portal_private.search_item',
    ],
    bound: WITH('the item', 'one row'),
  },
  {
    tables: [
      'portal.attribute',
      'portal.document_link',
      'portal.layer_style',
      'portal.link',
      'portal.map_layer',
      'portal.resource_keyword',
      'portal.resource_link',
      'portal.resource_region',
      'portal.resource_tkeyword',
      'portal_private.layer_join',
      'portal_private.layer_lineage',
      'portal_private.resource_grant',
      'portal_private.shared_item',
    ],
    bound: WITH('the item'),
  },
  { tables: ['portal_private.map_reference'], bound: WITH('the map', '10,000 names of layers at most') },
  { tables: ['portal_private.layer_source'], bound: WITH('the layer', 'one row; 50 for an account') },
  {
    tables: ['portal_private.share_link'],
    bound: WITH('the item and with the account that made it', '20 for an item'),
  },
  { tables: ['portal_private.layer_change'], bound: WITH('the layer', 'one row for data and one for looks') },
  { tables: ['portal_private.thumbnail_due'], bound: WITH('the item', 'until its thumbnail is drawn') },
  {
    tables: ['portal_private.overview_tile'],
    bound: WITH('the layer', 'a row for 2,000 of its features, for each summarised zoom'),
  },
  {
    tables: ['portal_private.overview_change'],
    bound: WITH('the layer', '500 for a statement, until the overview is brought up to date'),
  },
  {
    tables: ['portal_private.layer_edit'],
    bound: SWEPT('`history-days` and `history-entries` for each layer', 'every edit of the layer'),
  },
  {
    tables: ['portal_private.version'],
    bound: SWEPT('`version-entries` for each part of an item', 'every new version'),
  },
  {
    tables: [
      'portal_private.dropped_column',
      'portal_private.dropped_value',
      'portal_private.kept_data',
      'portal_private.kept_row',
    ],
    bound: SWEPT('30 days', 'the hourly sweep of jobs'),
  },
  {
    tables: ['portal.upload', 'portal.upload_file', 'portal.upload_layer'],
    bound: SWEPT(
      '`upload-days` after the upload ended; the newest upload of each layer stays with the layer',
      'the hourly sweep of jobs',
    ),
  },
  { tables: ['staging.run'], bound: WITH('the upload', 'one row until the import ends') },
  {
    tables: ['portal_private.blob_made'],
    bound: SWEPT('one row for each file that is kept', 'the hourly sweep of jobs, with files that nothing refers to'),
  },
  { tables: ['portal_private.audit'], bound: SWEPT('`audit-log-days`', 'the hourly sweep of jobs') },
  {
    tables: [
      'portal_private.session',
      'portal_private.oidc_state',
      'portal_private.mail_link',
      'portal_private.used_challenge',
    ],
    bound: SWEPT('the expiry of each row', 'the hourly sweep of the portal'),
  },
  {
    tables: ['portal_private.notification'],
    bound: SWEPT('90 days, and 1000 for each account', 'the hourly sweep of the portal'),
  },
  {
    tables: ['portal_private.account_letter'],
    bound: SWEPT(
      'a minute, or a day where no mail is set up',
      'the sending of letters and the hourly sweep of the portal',
    ),
  },
  {
    tables: ['portal_private.geocoder_answer'],
    bound: SWEPT('30 days, and 500,000 answers', 'every job that asks the geocoder'),
  },
  { tables: ['portal_private.search_word'], bound: SWEPT('the words of items', 'the filling of the search') },
  { tables: ['portal_private.program_copy'], bound: SWEPT('a day without a heartbeat', 'every heartbeat') },
  { tables: ['portal_private.backup_run'], bound: SWEPT('the time that a backup may hold files', 'every backup') },
  {
    tables: ['portal_private.tally', 'portal_private.facet_tally'],
    bound: FIXED('a row for each combination of type, visibility and facet that items have'),
  },
  { tables: ['portal_private.sql_query'], bound: WITH('the account', '100 for each administrator') },
  { tables: ['portal.basemap'], bound: FIXED('50, of administrators') },
  {
    tables: [
      'portal.setting',
      'portal.upload_size_limit',
      'portal_private.bin_limit',
      'portal_private.geocoder_turn',
      'portal_private.history_limit',
      'portal_private.search_config',
      'portal_private.service_mode',
      'portal_private.service_secret',
      'portal_private.sign_in_rule',
      'portal_private.sql_console_rule',
      'portal_private.storage_default',
      'portal_private.version_limit',
      'portal_private.words_stamp',
    ],
    bound: FIXED('a few, one for each switch'),
  },
  {
    tables: ['survest.migration', 'survest.schema_file', 'survest.schema_object'],
    bound: FIXED('one for each change, file and function of the schema'),
  },
  {
    tables: ['jobs.job', 'jobs.archive'],
    bound: SWEPT('finished jobs are archived after 12 hours and deleted after 7 days', 'the queue, every minute'),
  },
  {
    tables: ['jobs.queue', 'jobs.schedule', 'jobs.subscription', 'jobs.version'],
    bound: FIXED('a few, one for each queue'),
  },
  {
    tables: ['survest_live.change'],
    bound: SWEPT('what every reader has read, and at most a day', 'the reader of changes'),
  },
];

/** Markdown. */
export function boundsTable(): string {
  const lines = TABLE_BOUNDS.map(
    ({ tables, bound }) => `| ${tables.map((name) => `\`${name}\``).join(', ')} | ${boundText(bound)} |`,
  );
  return ['| tables | bound |', '|---|---|', ...lines].join('\n');
}

function boundText(bound: Bound): string {
  switch (bound.kind) {
    case 'with':
      return `deleted with ${bound.owner}${bound.most === undefined ? '' : `; ${bound.most}`}`;
    case 'swept':
      return `${bound.bound}; removed by ${bound.by}`;
    case 'content':
      return 'what people have made and not deleted';
    case 'fixed':
      return bound.rows;
  }
}
