-- Imports: where tables stand until their layer is published, what is known of an import under way, the files of rasters, and
-- what the service asks when it looks for things that nobody owns.

-- Tables under way -------------------------------------------------------------------------------------------------

create schema staging;
comment on schema staging is 'Tables of imports that are not published yet. For the service only.';
grant usage, create on schema staging to survest_authenticator;

-- One row per import under way. It says which attempt holds the import: an attempt that was taken for dead and goes on
-- nevertheless finds another token here, and cannot publish.
create table staging.run (
  upload_id integer primary key references portal.upload on delete cascade,
  token uuid not null,
  attempts integer not null default 0,
  -- Renewed while the import goes on; one that stands still belongs to a worker that died.
  beat timestamptz not null default now(),
  phase text not null check (phase in ('fetching', 'reading', 'indexing', 'publishing')),
  bytes_read bigint not null default 0,
  bytes_total bigint not null default 0,
  features bigint not null default 0
);
grant select, insert, update, delete on staging.run to survest_authenticator;

-- Every layer an upload has made; a file with several gives several.
create table portal.upload_layer (
  upload_id integer not null references portal.upload on delete cascade,
  resource_id integer not null references portal.resource on delete cascade,
  primary key (upload_id, resource_id)
);
create index upload_layer_resource on portal.upload_layer (resource_id);
alter table portal.upload_layer enable row level security;
create policy own on portal.upload_layer for all to survest_user, survest_admin
  using (exists (select from portal.upload u where u.id = upload_id));
grant select on portal.upload_layer to survest_user, survest_admin;
grant insert on portal.upload_layer to survest_admin;

-- The last layer of an upload takes the record of it along, and with it the claim on the files that were sent.
create function portal_private.after_upload_layer_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal.upload u
   where u.id = old.upload_id and u.state = 'PROCESSED'
     and not exists (select from portal.upload_layer l where l.upload_id = old.upload_id);
  return null;
end
$$;
create trigger upload_goes_too after delete on portal.upload_layer
  for each row execute function portal_private.after_upload_layer_gone();

-- Whoever waits for an import hears of every step of it.
create function portal_private.tell_of_upload() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  seen jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('survest_uploads', coalesce(seen ->> 'upload_id', seen ->> 'id'));
  return null;
end
$$;
create trigger tell after update or delete on portal.upload for each row execute function portal_private.tell_of_upload();
create trigger tell after insert or update on staging.run for each row execute function portal_private.tell_of_upload();

-- Rasters ---------------------------------------------------------------------------------------------------------

-- The pixels of a raster layer are a cloud-optimised GeoTIFF in the blob store.
create table portal.raster (
  resource_id integer primary key references portal.resource on delete cascade,
  blob text not null,
  size bigint not null check (size >= 0),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- [{"type": "Byte", "nodata": null, "color": "Red"}, …]
  bands jsonb not null check (jsonb_typeof(bands) = 'array')
);
alter table portal.raster enable row level security;
create policy seen on portal.raster for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));
create trigger guard before insert or update or delete on portal.raster
  for each row when (pg_catalog.row_security_active('portal.raster'))
  execute function portal_private.guard_part('4', 'resource_id');
grant select on portal.raster to survest_anon, survest_user, survest_admin;
grant insert, update (blob, size, width, height, bands), delete on portal.raster to survest_user, survest_admin;

-- Coordinate systems ----------------------------------------------------------------------------------------------

-- A number for a coordinate system that has none: the same text always under the same number, one of a range of ours. Without an
-- authority: PostGIS looks a name up before it reads the text, and the embedded engine does not survive a name that nobody
-- knows. Null where the database does not let us.
do $crs$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($f$
    create function portal.own_srid(wkt text) returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $b$
    declare
      number integer;
    begin
      lock table %1$I.spatial_ref_sys in share row exclusive mode;
      select s.srid into number from %1$I.spatial_ref_sys s where s.srid between 960001 and 998999 and s.srtext = wkt limit 1;
      if number is null then
        select greatest(960000, coalesce(max(s.srid), 0)) + 1 into number
          from %1$I.spatial_ref_sys s where s.srid between 960001 and 998998;
        insert into %1$I.spatial_ref_sys (srid, auth_name, auth_srid, srtext, proj4text) values (number, null, null, wkt, '');
      end if;
      return number;
    exception when insufficient_privilege then
      return null;
    end
    $b$
  $f$, gis);
end
$crs$;

-- The REST service learns of tables that come and go.
create function portal_private.tell_of_tables() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('pgrst', 'reload schema');
  return null;
end
$$;
create trigger tell after insert or delete on portal_private.layer_table
  for each statement execute function portal_private.tell_of_tables();

-- Looking for what nobody owns ------------------------------------------------------------------------------------

-- Which of these keys of the blob store something in the catalogue refers to.
create function portal.known_blobs(keys text[]) returns setof text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select f.blob from portal.upload_file f where f.blob = any (keys)
    union select d.blob from portal.document_file d where d.blob = any (keys)
    union select t.blob from portal.thumbnail t where t.blob = any (keys)
    union select r.blob from portal.raster r where r.blob = any (keys);
end
$$;
create index upload_file_blob on portal.upload_file (blob);
create index document_file_blob on portal.document_file (blob);
create index thumbnail_blob on portal.thumbnail (blob);
create index raster_blob on portal.raster (blob);

-- Every key that is referred to, with what refers to it.
create function portal.used_blobs() returns table (blob text, used_by text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select f.blob, 'upload ' || f.upload_id from portal.upload_file f
    union all select d.blob, 'document ' || d.resource_id from portal.document_file d
    union all select t.blob, 'thumbnail of ' || t.resource_id from portal.thumbnail t
    union all select r.blob, 'raster ' || r.resource_id from portal.raster r;
end
$$;

-- Tables without a layer, and layers without their table.
create function portal.stray_tables() returns table (kind text, name text, resource_id integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select 'table without layer', c.relname::text, null::integer
      from pg_class c
     where c.relnamespace = 'layers'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from portal_private.layer_table t where t.table_name = c.relname)
    union all
    select 'layer without table', t.table_name, t.resource_id
      from portal_private.layer_table t
     where to_regclass(format('layers.%I', t.table_name)) is null
    union all
    select 'layer without data', r.name, r.id
      from portal.resource r
     where r.resource_type = 'layer' and r.store is not null
       and not exists (select from portal_private.layer_table t where t.resource_id = r.id)
       and not exists (select from portal.raster p where p.resource_id = r.id)
    union all
    select 'staged table', c.relname::text, null::integer
      from pg_class c
     where c.relnamespace = 'staging'::regnamespace and c.relkind = 'r' and c.relname <> 'run'
       and not exists (select from staging.run u where c.relname like 'u' || u.upload_id || '\_%');
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.own_srid(text), portal.known_blobs(text[]), portal.used_blobs(), portal.stray_tables() from public;
grant execute on function portal.own_srid(text), portal.known_blobs(text[]), portal.used_blobs(), portal.stray_tables()
  to survest_authenticator;
