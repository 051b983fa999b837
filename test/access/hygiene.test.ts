// What has to hold for every table and function of the portal, now and after the next migration: asked of the catalogue.

import pg from 'pg';
import { expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { world } from './world.ts';

const OURS = "('portal', 'portal_private', 'layers')";
const ROLES = "('survest_anon', 'survest_user', 'survest_admin', 'survest_authenticator')";

onEachEngine('hygiene', { fixtures: world }, (db) => {
  const names = async (sql: string): Promise<string[]> => (await db().query<{ name: string }>(sql)).map((r) => r.name);

  test('every table is under row-level security', async () => {
    expect(
      await names(`select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
                         where n.nspname in ${OURS} and c.relkind in ('r', 'p') and not c.relrowsecurity`),
    ).toEqual([]);
  });

  test('no function can be executed by PUBLIC', async () => {
    expect(
      await names(`select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                         where n.nspname in ${OURS} and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)`),
    ).toEqual([]);
  });

  test('every function that changes the user fixes its search path, with temporary objects last', async () => {
    expect(
      await names(`select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                         where n.nspname in ${OURS} and p.prosecdef
                           and not coalesce(p.proconfig @> array['search_path=pg_catalog, pg_temp'], false)`),
    ).toEqual([]);
  });

  test('every function that callers may execute fixes its search path, or was parsed when it was made', async () => {
    expect(
      await names(`select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                         where n.nspname in ${OURS} and p.prosqlbody is null and p.proconfig is null
                           and exists (select from pg_roles r where r.rolname in ${ROLES} and has_function_privilege(r.oid, p.oid, 'execute'))`),
    ).toEqual([]);
  });

  // A function that is new for callers is entered here on purpose, not by a forgotten revoke.
  test('callers can execute these functions and no others', async () => {
    const open = async (role: string): Promise<string[]> =>
      names(`select distinct p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
              where n.nspname in ('portal', 'layers') and has_function_privilege('${role}', p.oid, 'execute') order by 1`);
    const reads = [
      'allowed_verbs',
      'attribute_format',
      'check_writable',
      'count_view',
      'data_updated',
      'facet_counts',
      'facet_counts_of_all',
      'freshness',
      'get_perms',
      'hidden_layers',
      'html_character',
      'html_characters',
      'html_text',
      'is_admin',
      'is_manager',
      'is_staff',
      'item_comments',
      'item_counts',
      'item_parts',
      'item_rating',
      'item_stamps',
      'item_stamps_with_styles',
      'layer_history',
      'layer_key',
      'layer_lineage',
      'layer_overview',
      'layer_presentation',
      'layer_stamp',
      'layer_table',
      'layers_after',
      'map_extent',
      'maps_within',
      'may',
      'may_add',
      'me',
      'my_groups',
      'my_perms',
      'my_principals',
      'overview_cells',
      'perm_bit',
      'perm_names',
      'plain_text',
      'provenance',
      'search_hits',
      'search_ids',
      'search_matches',
      'search_page',
      'seen_config',
      'seen_keywords',
      'seen_owners',
      'served_layers',
      'setting_on',
      'sharing_of',
      'shown_file',
      'tkeyword_counts',
      'visible_count',
      'visible_relations',
      'writable',
    ];
    const writes = [
      'add_comment',
      'change_comment',
      'choose_notifications',
      'delete_comment',
      'follow_item',
      'followed_items',
      'item_following',
      'mark_notifications',
      'source_following',
      'follow_source',
      'followed_sources',
      'my_notification_choices',
      'my_notifications',
      'my_unread',
      'rate_item',
      'add_remote_record',
      'add_remote_service',
      'bind_remote',
      'claim_remote_service',
      'drop_remote_service',
      'known_remote_layer',
      'remote_offer',
      'remote_service',
      'remote_services',
      'drop_layer_source',
      'layer_source',
      'set_layer_source',
      'source_now',
      'set_remote_service',
      'changeable_table',
      'column_uses',
      'kept_data',
      'keep_changed',
      'kept_changed',
      'kept_details',
      'kept_kind',
      'forget_join',
      'hold_join',
      'hold_table',
      'join_sides',
      'layer_join',
      'layer_joins',
      'layer_columns',
      'set_layer_presentation',
      'managed_table',
      'add_style',
      'answer_invitation',
      'ask_email_change',
      'begin_file',
      'begin_totp',
      'add_to_file',
      'join_file',
      'drop_files',
      'bin_page',
      'check_storage',
      'delete_items',
      'delete_my_account',
      'end_other_browsers',
      'end_sign_in',
      'find_audit_entries',
      'get_levels',
      'group_resources',
      'hand_over_items',
      'invite_group_member',
      'item_audience',
      'item_version',
      'item_versions',
      'layer_edit_whole',
      'make_access_token',
      'make_group',
      'my_credentials',
      'my_files',
      'my_invitations',
      'my_provider_link',
      'my_second_factor',
      'my_sign_ins',
      'permission_fault',
      'purge_item',
      'remove_group_member',
      'remove_passkey',
      'remove_style',
      'restore_item',
      'restore_style',
      'sees_email',
      'set_group_keywords',
      'set_keywords',
      'set_levels',
      'set_metadata_only',
      'set_new_perms',
      'set_perms',
      'set_regions',
      'set_tkeywords',
      'share_with_audience',
      'change_share_link',
      'end_share_link',
      'end_share_links',
      'make_share_link',
      'renew_share_link',
      'share_links',
      'share_with_links',
      'show_filled',
      'storage_use',
      'uncover_for_deletion',
      'undo_layer_edit',
      'unlink_provider',
      'upload_progress',
      'upload_step',
      'used_by',
      'withdraw_invitation',
    ];
    expect(await open('survest_anon')).toEqual(reads);
    expect(await open('survest_user')).toEqual([...reads, ...writes].sort());
    expect(await open('survest_admin')).toEqual(
      [
        ...reads,
        ...writes,
        'create_account',
        'database_table',
        'database_tables',
        'invite_person',
        'check_sql_console',
        'note_sql',
        'run_sql',
        'drop_sql_query',
        'save_sql_query',
        'sql_names',
        'sql_queries',
        'sql_rows',
        'reset_second_factor',
        'set_password',
        'set_service_mode',
        'set_storage_quota',
        'operation_status',
      ].sort(),
    );
  });

  test('nothing in portal_private can be named by a role of the API', async () => {
    expect(
      await names(
        `select rolname as name from pg_roles where rolname in ${ROLES} and has_schema_privilege(oid, 'portal_private', 'usage')`,
      ),
    ).toEqual([]);
    expect(
      await names(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_roles r
                         where n.nspname = 'portal_private' and c.relkind in ('r', 'p', 'v') and r.rolname in ${ROLES}
                           and has_any_column_privilege(r.oid, c.oid, 'select, insert, update, references')`),
    ).toEqual([]);
  });

  test('no role of the API creates anything in the schemas, truncates, references or adds triggers', async () => {
    expect(
      await names(`select r.rolname || ' ' || n.nspname as name from pg_roles r, pg_namespace n
                         where r.rolname in ${ROLES} and n.nspname in ${OURS} and has_schema_privilege(r.oid, n.oid, 'create')
                           and (r.rolname, n.nspname) <> ('survest_authenticator', 'layers')`),
    ).toEqual([]);
    expect(
      await names(`select r.rolname || ' ' || c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_roles r
                         where n.nspname in ('portal', 'portal_private') and c.relkind in ('r', 'p', 'v') and r.rolname in ${ROLES}
                           and has_table_privilege(r.oid, c.oid, 'truncate, references, trigger')`),
    ).toEqual([]);
  });

  test('the roles are what they should be, and none is a member of another but the authenticator', async () => {
    expect(
      await db().query(`select rolname, rolcanlogin, rolinherit, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty
                               from pg_roles where rolname in ${ROLES} order by rolname`),
    ).toEqual([
      { rolname: 'survest_admin', rolcanlogin: false, rolinherit: true, mighty: false },
      { rolname: 'survest_anon', rolcanlogin: false, rolinherit: true, mighty: false },
      { rolname: 'survest_authenticator', rolcanlogin: true, rolinherit: false, mighty: false },
      { rolname: 'survest_user', rolcanlogin: false, rolinherit: true, mighty: false },
    ]);
    expect(
      await names(`select m.member::regrole || ' in ' || m.roleid::regrole as name from pg_auth_members m
                         where m.member::regrole::text in ${ROLES} or m.roleid::regrole::text in ${ROLES} order by 1`),
    ).toEqual([
      'survest_authenticator in survest_admin',
      'survest_authenticator in survest_anon',
      'survest_authenticator in survest_user',
    ]);
  });

  test('every foreign key of the catalogue has an index that begins with its columns', async () => {
    expect(
      await names(`select c.conrelid::regclass || ' ' || c.conname as name from pg_constraint c join pg_namespace n on n.oid = c.connamespace
                         where c.contype = 'f' and n.nspname in ${OURS}
                           and not exists (select from pg_index i where i.indrelid = c.conrelid and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] = c.conkey)`),
    ).toEqual([]);
  });

  test('the code lists are complete', async () => {
    expect(
      await db().query(`select (select count(*)::int from portal.region) as regions, (select count(*)::int from portal.category) as categories,
      (select count(*)::int from portal.license) as licenses, (select count(*)::int from portal.restriction_code_type) as restrictions,
      (select count(*)::int from portal.spatial_representation_type) as representations`),
    ).toEqual([{ regions: 259, categories: 20, licenses: 7, restrictions: 8, representations: 6 }]);
  });

  test('the service’s own role sees nothing before it takes another, and cannot take more than the three', async () => {
    if (db().uri === undefined) {
      // The embedded engine has one login, the superuser: what the role may do is the same, asked of the catalogue.
      expect(
        await names(`select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
                           where n.nspname = 'portal' and c.relkind in ('r', 'v') and has_any_column_privilege('survest_authenticator', c.oid, 'select')`),
      ).toEqual([]);
      return;
    }
    const uri = new URL(db().uri ?? '');
    uri.username = 'survest_authenticator';
    const client = new pg.Client({ connectionString: uri.href });
    await client.connect();
    try {
      for (const sql of [
        'select id from portal.resource',
        'select email from portal.account_detail',
        'select * from portal_private.credential',
        'set role postgres',
        'set session authorization survest_admin',
      ]) {
        await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
      }
      for (const role of ['survest_anon', 'survest_user', 'survest_admin']) await client.query(`set role ${role}`);
      expect((await client.query("select count(*)::int from portal.resource where title = 'open'")).rows).toEqual([
        { count: 1 },
      ]);
    } finally {
      await client.end();
    }
  });
});
