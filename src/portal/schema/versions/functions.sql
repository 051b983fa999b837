create or replace function portal.set_version_limit(kept integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.version_limit set versions = kept where versions <> kept
$$;

create or replace function portal_private.metadata_of(target integer) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return (select jsonb_build_object('title', r.title, 'abstract', r.abstract, 'attribution', r.attribution, 'doi', r.doi, 'date', r.date,
            'date_type', r.date_type, 'edition', r.edition, 'purpose', r.purpose, 'maintenance_frequency', r.maintenance_frequency,
            'restriction_code_type', r.restriction_code_type_id, 'constraints_other', r.constraints_other, 'license', r.license_id,
            'language', r.language, 'category', r.category_id, 'spatial_representation_type', r.spatial_representation_type_id,
            'temporal_extent_start', r.temporal_extent_start, 'temporal_extent_end', r.temporal_extent_end,
            'supplemental_information', r.supplemental_information, 'data_quality_statement', r.data_quality_statement,
            'keywords', (select coalesce(jsonb_agg(w.name order by w.name), '[]') from portal.resource_keyword k
                           join portal.keyword w on w.id = k.keyword_id where k.resource_id = r.id),
            'regions', (select coalesce(jsonb_agg(k.region_id order by k.region_id), '[]') from portal.resource_region k
                         where k.resource_id = r.id))
          from portal.resource r where r.id = target);
end
$$;

-- Keeps a version unless it is as the newest one is; what is too many goes.
create or replace function portal_private.keep_version(of_item integer, of_style integer, of_part text, content jsonb, by_caller boolean, at timestamptz)
returns void
language plpgsql as $$
declare
  most integer := (select l.versions from portal_private.version_limit l);
  me integer := case when by_caller then portal_private.find_me() end;
begin
  if most = 0 or content is null or content = (
       select v.body from portal_private.version v
        where v.part = of_part and (v.resource_id = of_item or v.style_id = of_style) order by v.id desc limit 1) then
    return;
  end if;
  insert into portal_private.version (resource_id, style_id, part, made_at, account_id, account, body)
    values (of_item, of_style, of_part, at, me, (select a.username from portal.account a where a.id = me), content);
  delete from portal_private.version d
   where d.part = of_part and (d.resource_id = of_item or d.style_id = of_style)
     and d.id <= (select v.id from portal_private.version v
                   where v.part = of_part and (v.resource_id = of_item or v.style_id = of_style) order by v.id desc offset most limit 1);
end
$$;

-- Before the first change: as it was until now. What this transaction has made has no version before.
create or replace function portal_private.keep_first(of_item integer, of_part text, content jsonb) returns void
language plpgsql as $$
begin
  if not exists (select from portal_private.version v where v.resource_id = of_item and v.part = of_part) then
    -- The item may have been touched already, by the same change.
    perform portal_private.keep_version(r.id, null, of_part, content, false,
                                        case when r.last_updated = now() then r.created else r.last_updated end)
       from portal.resource r where r.id = of_item and r.created <> now();
  end if;
end
$$;

create or replace function portal_private.keep_first_description(of_item integer) returns void
language plpgsql as $$
begin
  -- Checked here as well, so that nothing is put together for nothing.
  if not exists (select from portal_private.version v where v.resource_id = of_item and v.part = 'metadata') then
    perform portal_private.keep_first(of_item, 'metadata', portal_private.metadata_of(of_item));
  end if;
end
$$;

-- Keywords and regions.
create or replace function portal_private.version_before_metadata() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.keep_first_description(coalesce(new.resource_id, old.resource_id));
  return coalesce(new, old);
end
$$;

create or replace function portal_private.version_after_metadata() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- What is new has its first version with its first change.
  if exists (select from portal_private.version v where v.resource_id = new.id and v.part = 'metadata') then
    perform portal_private.keep_version(new.id, null, 'metadata', portal_private.metadata_of(new.id), true, clock_timestamp());
  end if;
  return null;
end
$$;

create or replace function portal_private.version_before_content() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.keep_first(old.resource_id, 'content', jsonb_build_object('data', old.data));
  return new;
end
$$;

create or replace function portal_private.version_after_content() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.keep_version(new.resource_id, null, 'content', jsonb_build_object('data', new.data), true, clock_timestamp());
  return null;
end
$$;

create or replace function portal_private.version_after_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from portal_private.version v where v.style_id = new.id) then
    perform portal_private.keep_version(null, new.id, 'style',
      portal_private.style_body(old.sld_title, old.sld_body, old.sld_version, old.maplibre), false, old.last_updated);
  end if;
  perform portal_private.keep_version(null, new.id, 'style',
    portal_private.style_body(new.sld_title, new.sld_body, new.sld_version, new.maplibre), true, clock_timestamp());
  return null;
end
$$;

-- Which versions the caller reaches: who may change a part sees what it was.
create or replace function portal_private.versions_for(target integer)
returns table (id bigint, part text, style_id integer, made_at timestamptz, account text, is_current boolean)
language plpgsql stable as $$
declare
  who portal_private.caller := portal_private.who();
  mask integer := portal_private.mask(who, target);
begin
  perform portal_private.missing_if(not portal_private.sees(who, target));
  perform portal_private.refuse_if(mask & (4 | 8 | 256) = 0, 'change_resourcebase is needed');
  return query
    select v.id, v.part, v.style_id, v.made_at, v.account,
           v.id = max(v.id) over (partition by v.part, v.style_id)
      from portal_private.version v
     where (v.resource_id = target and mask & case v.part when 'content' then 4 else 4 | 8 end <> 0)
        or (mask & 256 <> 0 and v.style_id in (select l.style_id from portal.layer_style l where l.resource_id = target));
end
$$;

create or replace function portal.item_versions(target integer, of_part text, below bigint, most integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'part', v.part, 'style', s.name,
             'made', to_char(v.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'by', v.account, 'current', v.is_current)
             order by v.id desc), '[]')
      from (select * from portal_private.versions_for(target) x
             where (of_part is null or x.part = of_part) and (below is null or x.id < below) order by x.id desc limit least(most, 200)) v
      left join portal.style s on s.id = v.style_id);
end
$$;

-- One version with all that is in it; null: there is none for the caller.
create or replace function portal.item_version(target integer, version bigint) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (
    select jsonb_build_object('id', f.id, 'part', f.part, 'style', s.name, 'style_id', f.style_id,
             'made', to_char(f.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'by', f.account, 'current', f.is_current,
             'body', case when f.part = 'content' then jsonb_build_object('data', portal.seen_config(target, v.body -> 'data')) else v.body end)
      from portal_private.versions_for(target) f
      join portal_private.version v on v.id = f.id
      left join portal.style s on s.id = f.style_id
     where f.id = version);
end
$$;

-- Writes a style as it was, with the caller's own rights. Null: there is no such version for the caller.
create or replace function portal.restore_style(target integer, version bigint) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  kept jsonb := portal.item_version(target, version);
begin
  if kept is null or kept ->> 'part' <> 'style' then
    return null;
  end if;
  update portal.style s
     set sld_title = kept #>> '{body,sld_title}', sld_body = kept #>> '{body,sld_body}', sld_version = kept #>> '{body,sld_version}',
         maplibre = nullif(kept #> '{body,maplibre}', 'null')
   where s.id = (kept ->> 'style_id')::integer;
  return found;
end
$$;

grant execute on function
  portal.set_version_limit(integer)
  to survest_authenticator;

grant execute on function
  portal.item_versions(integer,text,bigint,integer), portal.item_version(integer,bigint), portal.restore_style(integer,bigint)
  to survest_user, survest_admin;
