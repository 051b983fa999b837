-- From the tables of today back to those of the baseline: what each change has done is undone, the last one first. For backups that were made then, whose rows
-- go into these tables before the changes are made again. What a change drops has no indexes here.

-- 1016
alter table portal.resource drop column default_filter;

-- 1015
drop table portal_private.sql_query;

-- 1014
alter table portal_private.resource_grant drop constraint resource_grant_links_read;
delete from portal_private.resource_grant where principal < -1000000000;
drop table portal_private.share_link;

-- 1013
drop table portal_private.geocoder_answer, portal_private.geocoder_turn;

-- 1012
drop table portal_private.layer_source;
delete from portal_private.notification where kind = 'source';
delete from portal_private.notification_choice where kind = 'source';
alter table portal_private.notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new')) not valid;
alter table portal_private.notification_choice drop constraint notification_choice_kind_check,
  add constraint notification_choice_kind_check check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new')) not valid;

-- 1011
drop table portal.basemap;
delete from portal.preference where name = 'basemaps';
alter table portal.preference drop constraint preference_known,
  add constraint preference_known check ((name, value) in (('tour', 'done'), ('theme', 'auto'), ('theme', 'light'), ('theme', 'dark'),
    ('language', 'en'), ('language', 'de'), ('language', 'fr'), ('language', 'es')));

-- 1010
delete from portal_private.kept_data where kind in ('calculate', 'type');
alter table portal_private.kept_data drop constraint kept_data_kind_check,
  add constraint kept_data_kind_check check (kind in ('replace', 'append'));
alter table portal_private.kept_data drop column details;

-- 1009
alter table portal.attribute drop column format;
alter table portal.resource drop column popup;

-- 1008
drop table portal_private.account_letter;

-- 1007
alter table portal.preference drop constraint preference_known, add constraint preference_known check ((name, value) in (('tour', 'done')));

-- 1006
drop table portal_private.sent_file;

-- 1005
drop table portal_private.layer_lineage;

-- 1004
delete from portal.setting where name = 'GROUPS_BY_ACCOUNTS';

-- 1003
drop table portal.upload_size_limit;

-- 1001
drop table portal_private.search_item;
create table portal_private.search_text (
  resource_id integer primary key references portal.resource on delete cascade, body text not null,
  words tsvector not null generated always as (to_tsvector('simple', body)) stored,
  terms text, vector tsvector, worded boolean not null default false, written xid8);
create table portal_private.kept_search (
  asked bytea primary key, cluster bigint not null, snapshot pg_snapshot not null, hits integer not null, ids integer[] not null, ranks real[] not null,
  kept timestamptz not null default now(), is_open boolean[] not null, types text[] not null, categories integer[] not null, extents box[] not null,
  updated timestamptz[] not null, part_types text[], part_open boolean[], part_starts integer[], part_ends integer[], sorted integer[] not null,
  places integer[] not null);
create table portal_private.facts_written (resource_id integer primary key, written xid8 not null);
