-- The columns as their manager sees them, and those that can be put back.
create or replace function portal.layer_columns(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  behind oid := format('layers.%I', portal.managed_table(target))::regclass;
begin
  return jsonb_build_object(
    'columns', (
      select coalesce(jsonb_agg(jsonb_build_object(
          'name', a.attname, 'label', coalesce(l.attribute_label, a.attname), 'type', format_type(a.atttypid, a.atttypmod),
          'required', a.attnotnull,
          -- The key and the shape make the table a layer.
          'fixed', t.typname in ('geometry', 'geography') or exists (
             select from pg_index i where i.indrelid = behind and i.indisprimary and a.attnum = any (i.indkey))) order by a.attnum), '[]')
        from pg_attribute a
        join pg_type t on t.oid = a.atttypid
        left join portal.attribute l on l.resource_id = target and l.attribute = a.attname
       where a.attrelid = behind and a.attnum > 0 and not a.attisdropped),
    'dropped', (
      select coalesce(jsonb_agg(jsonb_build_object(
          'id', d.id, 'name', d.name, 'label', coalesce(d.attribute ->> 'attribute_label', d.name), 'type', d.type,
          'at', to_char(d.dropped_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'by', d.account) order by d.id desc), '[]')
        from portal_private.dropped_column d where d.resource_id = target));
end
$$;

-- Whether a filter, CQL2, asks something of a column.
create or replace function portal_private.asks_of(filter jsonb, wanted text) returns boolean
language sql immutable parallel safe
return coalesce(wanted in (select p #>> '{}' from jsonb_path_query(filter, '$.**.property') p), false);

-- What a column is used by: styles of the layer, maps that mention it in a style or filter of their own, views and constraints of the database.
-- Maps that the caller does not see are only counted.
create or replace function portal.column_uses(target integer, wanted text) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  behind oid := format('layers.%I', portal.managed_table(target))::regclass;
  place smallint := (select a.attnum from pg_attribute a where a.attrelid = behind and a.attname = wanted and a.attnum > 0 and not a.attisdropped);
  quoted text := to_json(wanted)::text;
begin
  perform portal_private.missing_if(place is null, 'There is no such column.');
  return jsonb_build_object(
    'styles', (
      select coalesce(jsonb_agg(coalesce(nullif(s.sld_title, ''), s.name) order by s.name), '[]')
        from portal.layer_style l join portal.style s on s.id = l.style_id
       where l.resource_id = target
         and (strpos(s.maplibre::text, quoted) > 0 or strpos(s.maplibre::text, '{' || wanted || '}') > 0
              or s.maplibre is null and strpos(s.sld_body, '>' || wanted || '<') > 0)),
    'maps', (
      select coalesce(jsonb_agg(distinct jsonb_build_object('pk', m.map_id::text, 'title', r.title))
                filter (where portal_private.sees(portal_private.who(), m.map_id)), '[]')
        from portal.map_layer m join portal.resource r on r.id = m.map_id
       where m.layer_id = target and strpos(m.layer_params, quoted) > 0),
    'hidden_maps', (
      select count(distinct m.map_id) from portal.map_layer m
       where m.layer_id = target and strpos(m.layer_params, quoted) > 0 and not portal_private.sees(portal_private.who(), m.map_id)),
    'template', (
      select r.use_featureinfo_custom_template and coalesce(strpos(r.featureinfo_custom_template, wanted) > 0, false)
             or coalesce(strpos(r.popup::text, wanted) > 0, false) from portal.resource r where r.id = target),
    'filter', (select portal_private.asks_of(r.default_filter, wanted) from portal.resource r where r.id = target),
    'views', (
      select coalesce(jsonb_agg(distinct w.ev_class::regclass::text), '[]')
        from pg_depend d join pg_rewrite w on w.oid = d.objid
       where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = behind and d.refobjsubid = place
         and w.ev_class <> behind),
    'constraints', (
      select coalesce(jsonb_agg(c.conname order by c.conname), '[]') from pg_constraint c
       where (c.conrelid = behind and place = any (c.conkey) or c.confrelid = behind and place = any (c.confkey)) and c.contype <> 'n'));
end
$$;

-- What GeoNode calls a link or a picture is one.
create or replace function portal.attribute_format(format jsonb, featureinfo_type text) returns jsonb
language sql immutable parallel safe
return coalesce(format, case featureinfo_type when 'type_href' then '{"kind": "link"}'::jsonb when 'type_image' then '{"kind": "picture"}'::jsonb end);

-- How its columns and its pop-up are shown, and the filter that maps with it begin with, as the caller sees the layer; null: there is none.
create or replace function portal.layer_presentation(target integer) returns jsonb
language sql stable
begin atomic
  select jsonb_build_object(
      'columns', (
        select coalesce(jsonb_agg(jsonb_build_object('column', a.attribute, 'label', coalesce(a.attribute_label, ''), 'visible', a.visible,
                 'format', portal.attribute_format(a.format, a.featureinfo_type)) order by a.display_order, a.id), '[]')
          from portal.attribute a where a.resource_id = r.id),
      'popup', jsonb_build_object('kind', case when r.use_featureinfo_custom_template then 'template' else 'list' end,
          'title', coalesce(r.popup -> 'title', '""'), 'columns', coalesce(r.popup -> 'columns', 'null'),
          'template', coalesce(r.featureinfo_custom_template, ''), 'charts', coalesce(r.popup -> 'charts', '[]')),
      'filter', r.default_filter)
    from portal.resource r where r.id = target and r.resource_type = 'layer';
end;

-- Columns that are not named stay as they are, behind those that are. Null: that part stays. The guards of the tables refuse whoever may not; asked here as
-- well, because what changes nothing asks no guard.
create or replace function portal.set_layer_presentation(target integer, looks jsonb, look_of_popup jsonb, filter jsonb) returns jsonb
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  unknown text;
begin
  if not exists (select from portal.resource r where r.id = target and r.resource_type = 'layer') then
    raise exception 'There is no such layer.' using errcode = 'no_data_found';
  end if;
  if not portal.may(target, 'change_resourcebase') then
    raise exception 'You do not have permission to perform this action.'
      using errcode = 'insufficient_privilege', detail = 'change_resourcebase is needed';
  end if;
  if looks is not null then
    with wanted as (
      select * from rows from (jsonb_to_recordset(looks) as ("column" text, label text, visible boolean, format jsonb)) with ordinality
        as l (name, label, visible, format, n)
    ), placed as (
      select a.id, w.name is not null as is_named, nullif(w.label, '') as label, w.visible, nullif(w.format, 'null') as format,
             (row_number() over (order by w.n nulls last, a.display_order, a.id))::integer as place
        from portal.attribute a left join wanted w on w.name = a.attribute where a.resource_id = target
    )
    update portal.attribute a
       set display_order = p.place,
           attribute_label = case when p.is_named then p.label else a.attribute_label end,
           visible = case when p.is_named then p.visible else a.visible end,
           format = case when p.is_named then p.format else a.format end,
           featureinfo_type = case when not p.is_named then a.featureinfo_type when p.format ->> 'kind' = 'link' then 'type_href'
                                   when p.format ->> 'kind' = 'picture' then 'type_image' else 'type_property' end
      from placed p
     where p.id = a.id
       and (p.place <> a.display_order
            or p.is_named and (p.label, p.visible, p.format) is distinct from (a.attribute_label, a.visible, portal.attribute_format(a.format, a.featureinfo_type)));
  end if;
  if look_of_popup is not null then
    update portal.resource r
       set popup = nullif(look_of_popup - array['kind', 'template'], '{"title": "", "columns": null, "charts": []}'),
           use_featureinfo_custom_template = look_of_popup ->> 'kind' = 'template',
           featureinfo_custom_template = nullif(look_of_popup ->> 'template', '')
     where r.id = target;
  end if;
  if filter is not null then
    select p #>> '{}' into unknown from jsonb_path_query(filter, '$.**.property') p
     where not exists (select from portal.attribute a where a.resource_id = target and a.attribute = p #>> '{}') limit 1;
    if unknown is not null then
      raise exception 'filter: there is no column “%”.', left(unknown, 100) using errcode = 'invalid_parameter_value';
    end if;
    update portal.resource r set default_filter = nullif(filter, 'null') where r.id = target and r.default_filter is distinct from nullif(filter, 'null');
  end if;
  return portal.layer_presentation(target);
end
$$;

-- The catalogue's side of a change of columns. For the service, which has changed the table in the same transaction.
create or replace function portal.column_added(target integer, column_name text, label text, xsd text, known jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into portal.attribute (resource_id, attribute, attribute_label, attribute_type, display_order, description, visible, featureinfo_type, format)
    values (target, column_name, nullif(label, column_name), xsd,
      (select coalesce(max(a.display_order), 0) + 1 from portal.attribute a where a.resource_id = target),
      known ->> 'description', coalesce((known ->> 'visible')::boolean, true), coalesce(known ->> 'featureinfo_type', 'type_property'), nullif(known -> 'format', 'null'))
    on conflict do nothing
$$;

-- A column goes: its number here. Its values are handed over in parts, by the owner of the table, who alone reads all of them.
create or replace function portal.keep_column(target integer, column_name text, type text, not_null boolean, account text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone jsonb;
  kept bigint;
begin
  delete from portal.attribute a where a.resource_id = target and a.attribute = column_name returning to_jsonb(a) into gone;
  update portal_private.overview o set stale = true where o.resource_id = target and column_name = any (o.columns);
  update portal.resource r set default_filter = null where r.id = target and portal_private.asks_of(r.default_filter, column_name);
  insert into portal_private.dropped_column (resource_id, name, type, not_null, attribute, account)
    values (target, column_name, type, not_null, gone, account) returning id into kept;
  return kept;
end
$$;

create or replace function portal.keep_values(kept bigint, keys text[], found_values text[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into portal_private.dropped_value (column_id, key, value)
    select kept, v.key, v.value from unnest(keys, found_values) v(key, value)
$$;

create or replace function portal.kept_column(target integer, kept bigint)
returns table (name text, type text, not_null boolean, label text, xsd text, attribute jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select d.name, d.type, d.not_null, coalesce(d.attribute ->> 'attribute_label', d.name),
         coalesce(d.attribute ->> 'attribute_type', 'xsd:string'), coalesce(d.attribute, '{}')
    from portal_private.dropped_column d where d.id = kept and d.resource_id = target
$$;

create or replace function portal.kept_values(kept bigint) returns table (key text, value text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select v.key, v.value from portal_private.dropped_value v where v.column_id = kept
$$;

create or replace function portal.forget_kept_column(kept bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.dropped_column d where d.id = kept
$$;

-- Styles that only this layer has are written anew, in the two forms that name a column; edits of the history go on under the new name.
create or replace function portal.column_renamed(target integer, old_name text, new_name text, label text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  verb text;
  was text := to_json(old_name)::text;
  becomes text := to_json(new_name)::text;
begin
  update portal.attribute a set attribute = new_name, attribute_label = nullif(label, new_name)
   where a.resource_id = target and a.attribute = old_name;
  if old_name = new_name then
    return;
  end if;
  update portal.resource r
     set popup = portal_private.popup_renamed(r.popup, old_name, new_name),
         featureinfo_custom_template = replace(r.featureinfo_custom_template, '{{' || old_name || '}}', '{{' || new_name || '}}')
   where r.id = target and (strpos(r.popup::text, old_name) > 0 or strpos(r.featureinfo_custom_template, '{{' || old_name || '}}') > 0);
  update portal.resource r set default_filter = portal_private.renamed_in(r.default_filter::text, old_name, new_name, ' ')::jsonb
   where r.id = target and portal_private.asks_of(r.default_filter, old_name);
  foreach verb in array array['get', 'has', '!has'] loop
    update portal.style s
       set maplibre = replace(s.maplibre::text, format('["%s", %s]', verb, was), format('["%s", %s]', verb, becomes))::jsonb
     where strpos(s.maplibre::text, format('["%s", %s]', verb, was)) > 0
       and s.id in (select l.style_id from portal.layer_style l group by l.style_id having bool_and(l.resource_id = target));
  end loop;
  update portal.style s set sld_body = replace(s.sld_body, 'PropertyName>' || old_name || '<', 'PropertyName>' || new_name || '<')
   where strpos(s.sld_body, 'PropertyName>' || old_name || '<') > 0 and new_name !~ '[<>&]' and old_name !~ '[<>&]'
     and s.id in (select l.style_id from portal.layer_style l group by l.style_id having bool_and(l.resource_id = target));
  update portal_private.layer_edit e
     set old_values = case when e.old_values ? old_name then (e.old_values - old_name) || jsonb_build_object(new_name, e.old_values -> old_name) else e.old_values end,
         new_values = case when e.new_values ? old_name then (e.new_values - old_name) || jsonb_build_object(new_name, e.new_values -> old_name) else e.new_values end
   where e.resource_id = target and (e.old_values ? old_name or e.new_values ? old_name);
  update portal_private.overview o set stale = true where o.resource_id = target and old_name = any (o.columns);
end
$$;

-- Columns that were dropped longer ago than they are kept.
create or replace function portal.forget_dropped_columns(days integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.dropped_column d where d.dropped_at < now() - make_interval(days => days)
$$;

create or replace function portal_private.data_version(target integer) returns text
language sql stable
return (select coalesce(string_agg(c.n::text, '.' order by c.n), '0') from portal_private.layer_change c
         where c.resource_id = target and c.part = 'data');

-- The table of a layer whose rows the caller may change; raises otherwise.
create or replace function portal.changeable_table(target integer) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_table text := portal.layer_table(target);
begin
  perform portal_private.missing_if(found_table is null, 'There is no such table.');
  perform portal_private.refuse_if(not portal.may(target, 'change_layer_data'), 'change_layer_data is needed');
  return found_table;
end
$$;

-- What can be undone, the newest first, for who may change the rows.
create or replace function portal.kept_data(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.changeable_table(target);
  return jsonb_build_object('kept', (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'rows', (select count(*) from portal_private.kept_row r where r.kept_id = k.id),
        'at', to_char(k.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'by', k.account, 'column', k.details ->> 'column') order by k.id desc), '[]')
      from portal_private.kept_data k where k.resource_id = target));
end
$$;

-- Of which kind it is, for who may change the rows; null: there is none.
create or replace function portal.kept_kind(target integer, wanted bigint) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.changeable_table(target);
  return (select k.kind from portal_private.kept_data k where k.id = wanted and k.resource_id = target);
end
$$;

-- For the service, in the transaction that changes the rows. They are handed over in parts by the owner of the table, who alone reads all of them.
create or replace function portal.keep_data(target integer, what text, by text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kept bigint;
begin
  insert into portal_private.kept_data (resource_id, kind, account) values (target, what, by) returning id into kept;
  return kept;
end
$$;

create or replace function portal.keep_rows(kept bigint, found_rows jsonb[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into portal_private.kept_row (kept_id, content) select kept, r from unnest(found_rows) r
$$;

create or replace function portal.kept_rows(kept bigint) returns setof jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.content from portal_private.kept_row r where r.kept_id = kept
$$;

-- The same of one column. Its values come from the transaction that changes them, as the caller, who reads and writes no others.
create or replace function portal.keep_column_change(target integer, what text, by text, about jsonb) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kept bigint;
begin
  insert into portal_private.kept_data (resource_id, kind, account, details) values (target, what, by, about) returning id into kept;
  return kept;
end
$$;

create or replace function portal.keep_changed(kept bigint, keys text[], old_values text[], new_values text[]) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  target integer := (select k.resource_id from portal_private.kept_data k where k.id = kept and k.kind = 'calculate' and k.made_at = now());
begin
  perform portal.changeable_table(target);
  insert into portal_private.kept_row (kept_id, content)
    select kept, jsonb_build_object('k', v.k, 'o', v.o, 'n', v.n) from unnest(keys, old_values, new_values) v(k, o, n);
  return cardinality(keys);
end
$$;

-- Values before and after, for who may change the rows. Where callers see different rows, for who made the change, and administrators.
create or replace function portal.kept_changed(target integer, wanted bigint) returns table (key text, old_value text, new_value text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.changeable_table(target);
  perform portal_private.refuse_if(not portal_private.reads_history(target) and not exists (
      select from portal_private.kept_data k join portal.account a on a.username = k.account
       where k.id = wanted and k.resource_id = target and a.id = portal.me()),
    'The rows of this layer have rules of their own: only who changed them, and administrators, undo it.');
  return query select r.content ->> 'k', r.content ->> 'o', r.content ->> 'n'
    from portal_private.kept_data k join portal_private.kept_row r on r.kept_id = k.id
   where k.id = wanted and k.resource_id = target and k.kind = 'calculate';
end
$$;

-- What is known of a change of a column, for who may change the rows; null: there is none.
create or replace function portal.kept_details(target integer, wanted bigint) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.changeable_table(target);
  return (select k.details from portal_private.kept_data k where k.id = wanted and k.resource_id = target);
end
$$;

-- The catalogue's side of a change of type, for the service, which has changed the table in the same transaction.
create or replace function portal.column_typed(target integer, column_name text, xsd text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal.attribute a set attribute_type = xsd where a.resource_id = target and a.attribute = column_name;
  update portal_private.overview o set stale = true where o.resource_id = target and column_name = any (o.columns);
end
$$;

create or replace function portal.forget_kept(kept bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.kept_data k where k.id = kept
$$;

create or replace function portal.forget_kept_data(days integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.kept_data k where k.made_at < now() - make_interval(days => days)
$$;

grant execute on function
  portal.column_added(integer,text,text,text,jsonb), portal.keep_column(integer,text,text,boolean,text),
  portal.keep_values(bigint,text[],text[]), portal.kept_column(integer,bigint), portal.kept_values(bigint),
  portal.forget_kept_column(bigint), portal.column_renamed(integer,text,text,text), portal.forget_dropped_columns(integer),
  portal.keep_data(integer,text,text), portal.keep_rows(bigint,jsonb[]), portal.kept_rows(bigint), portal.forget_kept(bigint),
  portal.forget_kept_data(integer), portal.keep_column_change(integer,text,text,jsonb), portal.column_typed(integer,text,text)
  to survest_authenticator;

grant execute on function
  portal.attribute_format(jsonb,text), portal.layer_presentation(integer)
  to survest_anon, survest_user, survest_admin;

grant execute on function
  portal.set_layer_presentation(integer,jsonb,jsonb,jsonb), portal.layer_columns(integer), portal.column_uses(integer,text), portal.changeable_table(integer), portal.kept_data(integer),
  portal.kept_kind(integer,bigint), portal.keep_changed(bigint,text[],text[],text[]), portal.kept_changed(integer,bigint),
  portal.kept_details(integer,bigint)
  to survest_user, survest_admin;
