create or replace function portal_private.require_registrar() returns void
language plpgsql as $$
begin
  perform portal_private.refuse_if(not portal.may_add(), 'add_resource is needed to register services');
end
$$;

-- Moments as all answers have them.
create or replace function portal_private.remote_service_json(s portal_private.remote_service) returns jsonb
language sql stable
return jsonb_build_object('id', s.id, 'url', s.url, 'kind', s.kind, 'title', s.title, 'abstract', s.abstract, 'every_hours', s.every_hours,
  'created', portal_private.moment(s.created), 'harvested', portal_private.moment(s.harvested), 'tried', portal_private.moment(s.tried), 'error', s.error,
  'health', case when s.error is not null then 'failing' when s.harvested is null then 'unknown' else 'reachable' end,
  'offered', jsonb_array_length(s.offers),
  'layers', (select count(*) from portal_private.remote_layer l where l.service_id = s.id),
  'gone', (select count(*) from portal_private.remote_layer l where l.service_id = s.id and l.is_gone),
  'owner', (select a.username from portal.account a where a.id = s.owner_id));

create or replace function portal.remote_services() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_admin boolean := portal.is_admin();
  caller integer := portal.me();
begin
  perform portal_private.require_registrar();
  return (select coalesce(jsonb_agg(portal_private.remote_service_json(s) order by s.title, s.id), '[]')
            from (select * from portal_private.remote_service o where is_admin or o.owner_id = caller order by title, id limit 1000) s);
end
$$;

-- One of them with what it offers, and which layer of the catalogue each is.
create or replace function portal.remote_service(service integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  found portal_private.remote_service;
begin
  perform portal_private.require_registrar();
  select * into found from portal_private.remote_service s where s.id = service and portal_private.sees_service(s);
  if found.id is null then
    return null;
  end if;
  return portal_private.remote_service_json(found) || jsonb_build_object('offers', (
    select coalesce(jsonb_agg(jsonb_build_object('name', o.offer ->> 'name', 'title', o.offer ->> 'title', 'abstract', o.offer ->> 'abstract',
             'reason', case when jsonb_typeof(o.offer -> 'layer') = 'object' then null else coalesce(o.offer ->> 'reason', 'no-links') end,
             'page', o.offer ->> 'page',
             'becomes', case when jsonb_typeof(o.offer -> 'layer') = 'object' then 'layer'
                             when portal_private.document_address(o.offer) is not null then 'document' end,
             'layer', case when k.resource_type = 'layer' then k.resource_id::text end,
             'document', case when k.resource_type = 'document' then k.resource_id::text end) order by o.n), '[]')
      from jsonb_array_elements(found.offers) with ordinality o(offer, n)
      left join (select distinct on (l.offer_name) l.offer_name, l.resource_id, r.resource_type
                   from portal_private.remote_layer l join portal.resource r on r.id = l.resource_id
                  where l.service_id = service order by l.offer_name, l.resource_id) k on k.offer_name = o.offer ->> 'name'));
end
$$;

create or replace function portal.add_remote_service(address text, timetable integer, kind text, title text, abstract text, offers jsonb) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made integer;
begin
  perform portal_private.require_registrar();
  if (select count(*) from portal_private.remote_service) >= 1000 then
    raise exception 'A portal has 1000 remote services at most.' using errcode = 'check_violation';
  end if;
  if not portal.is_admin() and (select count(*) from portal_private.remote_service s where s.owner_id = portal.me()) >= 50 then
    raise exception 'An account has 50 remote services at most.' using errcode = 'check_violation';
  end if;
  insert into portal_private.remote_service (url, every_hours, kind, title, abstract, offers, harvested, tried, owner_id)
    values (address, timetable, kind, title, abstract, offers, now(), now(), portal.me()) returning id into made;
  return made;
end
$$;

create or replace function portal.set_remote_service(service integer, timetable integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_registrar();
  update portal_private.remote_service s set every_hours = timetable where s.id = service and portal_private.sees_service(s);
  return found;
end
$$;

-- Its layers stay in the catalogue.
create or replace function portal.drop_remote_service(service integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_registrar();
  delete from portal_private.remote_service s where s.id = service and portal_private.sees_service(s);
  return found;
end
$$;

-- What maps are told of a layer of others.
create or replace function portal_private.remote_json(offer jsonb) returns jsonb
language sql immutable
return (offer -> 'layer') || jsonb_build_object('attribution', offer ->> 'attribution', 'bbox', offer -> 'bbox');

-- Null: the service does not offer it, or not to the caller, or it becomes neither a layer nor a document.
create or replace function portal.remote_offer(service integer, wanted text) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_registrar();
  return (select o.offer from portal_private.remote_service s cross join jsonb_array_elements(s.offers) o(offer)
           where s.id = service and portal_private.sees_service(s) and o.offer ->> 'name' = wanted
             and (jsonb_typeof(o.offer -> 'layer') = 'object' or portal_private.document_address(o.offer) is not null) limit 1);
end
$$;

-- For the record that the caller has just made.
create or replace function portal.bind_remote(target integer, service integer, wanted text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  offer jsonb := portal.remote_offer(service, wanted);
  is_layer boolean := jsonb_typeof(offer -> 'layer') = 'object';
begin
  perform portal_private.require(portal_private.who(), target, 4);
  if offer is null then
    raise exception 'The service does not offer it.' using errcode = 'check_violation';
  end if;
  if exists (select from portal_private.remote_layer l where l.resource_id = target)
     or not exists (select from portal.resource r where r.id = target and case
          when is_layer then r.resource_type = 'layer' and not exists (select from portal_private.layer_table t where t.resource_id = target)
               and not exists (select from portal.raster p where p.resource_id = target)
          else r.resource_type = 'document' and r.doc_url is not null end) then
    raise exception 'It has content of its own.' using errcode = 'check_violation';
  end if;
  if is_layer then
    update portal.resource r set remote = portal_private.remote_json(offer) where r.id = target;
  end if;
  insert into portal_private.remote_layer (resource_id, service_id, offer_name) values (target, service, wanted);
end
$$;

-- What is due, one at a time and for one copy of the program: who has it may take ten minutes for it.
create or replace function portal.next_remote_service() returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due portal_private.remote_service;
begin
  select * into due from portal_private.remote_service s
   where s.every_hours is not null
     and coalesce(s.tried, s.created) <= now() - make_interval(hours => s.every_hours)
   order by s.tried nulls first limit 1 for update skip locked;
  if due.id is null then
    return null;
  end if;
  update portal_private.remote_service s set tried = now() where s.id = due.id;
  return jsonb_build_object('id', due.id, 'url', due.url);
end
$$;

-- Where it is, for who may have it asked now.
create or replace function portal.claim_remote_service(service integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  address text;
begin
  perform portal_private.require_registrar();
  update portal_private.remote_service s set tried = now()
   where s.id = service and portal_private.sees_service(s) returning s.url into address;
  return address;
end
$$;

-- What it offers now; or why that is not known, and then everything stays as it was. Titles and texts of layers belong to the catalogue.
create or replace function portal.note_harvest(service integer, harvest jsonb, failure text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if failure is not null then
    update portal_private.remote_service s set tried = now(), error = left(failure, 500) where s.id = service;
    return;
  end if;
  update portal_private.remote_service s
     set tried = now(), harvested = now(), error = null, title = coalesce(nullif(harvest ->> 'title', ''), s.title),
         abstract = harvest ->> 'abstract', offers = harvest -> 'offers'
   where s.id = service;
  -- Each offer is looked at once, however many records there are.
  with offer as materialized (
    select distinct on (o.one ->> 'name') o.one ->> 'name' as name, portal_private.document_address(o.one) as address,
           case when jsonb_typeof(o.one -> 'layer') = 'object' then portal_private.remote_json(o.one) end as remote
      from jsonb_array_elements(harvest -> 'offers') with ordinality o(one, n) order by o.one ->> 'name', o.n),
  record as (
    -- A document stays one where its record can be drawn by now.
    update portal_private.remote_layer l set is_gone = case k.resource_type when 'document' then k.name is null else k.remote is null end
      from (select m.resource_id, r.resource_type, o.name, o.remote, o.address
              from portal_private.remote_layer m
              join portal.resource r on r.id = m.resource_id
              left join offer o on o.name = m.offer_name
             where m.service_id = service) k
     where l.resource_id = k.resource_id returning l.resource_id, k.resource_type, k.remote, k.address)
  update portal.resource r
     set remote = case when record.resource_type = 'layer' then record.remote else r.remote end,
         doc_url = case when record.resource_type = 'document' then record.address else r.doc_url end
    from record where r.id = record.resource_id
     and (record.resource_type = 'layer' and record.remote is not null and r.remote is distinct from record.remote
       or record.resource_type = 'document' and record.address is not null and r.doc_url is distinct from record.address);
end
$$;

-- Does the service exist for the caller?
create or replace function portal_private.sees_service(s portal_private.remote_service) returns boolean
language sql stable
return portal.is_admin() or s.owner_id = portal.me();

-- The layer of the catalogue that an offer is already; null: none.
create or replace function portal.known_remote_layer(service integer, wanted text) returns integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_registrar();
  return (select min(l.resource_id) from portal_private.remote_layer l join portal_private.remote_service s on s.id = l.service_id
           where l.service_id = service and l.offer_name = wanted and portal_private.sees_service(s));
end
$$;

-- Of an offer that is no layer. Null: it links to nothing.
create or replace function portal_private.document_address(offer jsonb) returns text
language sql immutable
return case when coalesce(jsonb_typeof(offer -> 'layer'), 'null') <> 'object' and length(offer ->> 'page') <= 2048
                 and offer ->> 'page' ~* '^https?://[^\s/?#]\S*$' then offer ->> 'page' end;

-- The record of the catalogue that an offer becomes, or is already: {"layer": "7", "document": null}. Null: neither. As the caller, whose record it is.
create or replace function portal.add_remote_record(service integer, wanted text, permissions jsonb) returns jsonb
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  offer jsonb := portal.remote_offer(service, wanted);
  made integer := portal.known_remote_layer(service, wanted);
  words text[];
  box double precision[];
begin
  if made is null and offer is not null then
    if jsonb_typeof(offer -> 'layer') = 'object' then
      insert into portal.resource (resource_type, title, abstract, attribution, name, store)
        values ('layer', offer ->> 'title', offer ->> 'abstract', nullif(offer ->> 'attribution', ''),
          left(regexp_replace(regexp_replace(lower(offer ->> 'title'), '[^a-z0-9_]+', '_', 'g'), '^([0-9])', '_\1'), 60), 'remote')
        returning id into made;
    else
      insert into portal.resource (resource_type, title, abstract, attribution, doc_url, extension, doc_type)
        values ('document', offer ->> 'title', offer ->> 'abstract', nullif(offer ->> 'attribution', ''), offer ->> 'page',
          offer -> 'document' ->> 'extension', coalesce(offer -> 'document' ->> 'type', 'other'))
        returning id into made;
    end if;
    words := array(select w.word from jsonb_array_elements_text(
      case when jsonb_typeof(offer -> 'keywords') = 'array' then offer -> 'keywords' else '[]' end) w(word) where length(btrim(w.word)) between 1 and 100);
    if cardinality(words) > 0 then
      perform portal.set_keywords(made, words);
    end if;
    -- Before the extent: a picture is drawn from the address.
    perform portal.bind_remote(made, service, wanted);
    box := array(select b.side::text::double precision from jsonb_array_elements(
      case when jsonb_typeof(offer -> 'bbox') = 'array' then offer -> 'bbox' else '[]' end) with ordinality b(side, n) order by b.n);
    if cardinality(box) = 4 and box[1] < box[3] and box[2] < box[4] then
      update portal.resource r set ll_bbox_polygon = area.box, bbox_polygon = area.box
        from (select format('SRID=4326;POLYGON((%s %s,%s %s,%s %s,%s %s,%s %s))', box[1], box[2], box[3], box[2], box[3], box[4],
                box[1], box[4], box[1], box[2]) as box) area
       where r.id = made;
    end if;
    perform portal.set_new_perms(made, coalesce(permissions, '{"users": {}, "groups": {}}'));
  end if;
  return (select jsonb_build_object('layer', case when r.resource_type = 'layer' then r.id::text end,
                   'document', case when r.resource_type = 'document' then r.id::text end)
            from portal.resource r where r.id = made);
end
$$;

-- What a layer follows, for who manages it; null: nothing.
create or replace function portal.layer_source(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.managed_table(target);
  return (select jsonb_build_object('kind', s.kind, 'address', s.address, 'type_name', s.type_name, 'key', s.key_column, 'every_minutes', s.every_minutes,
      'paused', s.is_paused, 'next_at', case when not s.is_paused then portal_private.moment(s.next_at) end,
      'asked_at', portal_private.moment(s.asked_at), 'changed_at', portal_private.moment(s.changed_at), 'error', s.error, 'failures', s.failures,
      'as', (select a.username from portal.account a where a.id = s.account_id))
    from portal_private.layer_source s where s.resource_id = target);
end
$$;

-- Fifty for an account: each is asked again and again.
create or replace function portal_private.bind_source(target integer, account integer, wanted jsonb) returns void
language plpgsql as $$
begin
  perform portal_private.invalid_if((select count(*) from portal_private.layer_source s where s.account_id = account and s.resource_id <> target) >= 50,
    'You have 50 layers that follow an address already.');
  insert into portal_private.layer_source as s (resource_id, account_id, kind, address, type_name, key_column, every_minutes, is_paused, next_at)
    values (target, account, wanted ->> 'kind', wanted ->> 'address', wanted ->> 'type_name', wanted ->> 'key', (wanted ->> 'every_minutes')::integer,
            coalesce((wanted ->> 'paused')::boolean, false), now() + make_interval(mins => (wanted ->> 'every_minutes')::integer))
    on conflict (resource_id) do update
      set account_id = excluded.account_id, kind = excluded.kind, address = excluded.address, type_name = excluded.type_name, key_column = excluded.key_column,
          every_minutes = excluded.every_minutes, is_paused = excluded.is_paused, next_at = excluded.next_at, failures = 0, error = null,
          fingerprint = case when s.address = excluded.address and s.key_column is not distinct from excluded.key_column then s.fingerprint end;
end
$$;

create or replace function portal.set_layer_source(target integer, wanted jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  behind oid := format('layers.%I', portal.managed_table(target))::regclass;
begin
  perform portal_private.invalid_if(wanted ->> 'key' is not null and not exists (
      select from pg_attribute a where a.attrelid = behind and a.attname = wanted ->> 'key' and a.attnum > 0 and not a.attisdropped),
    'The layer has no such column as the key.');
  perform portal_private.bind_source(target, portal.me(), wanted);
  return portal.layer_source(target);
end
$$;

create or replace function portal.drop_layer_source(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.managed_table(target);
  delete from portal_private.layer_source s where s.resource_id = target;
end
$$;

create or replace function portal_private.source_order(s portal_private.layer_source) returns jsonb
language sql stable
return jsonb_build_object('layer', s.resource_id, 'account', s.account_id, 'kind', s.kind, 'address', s.address, 'typeName', s.type_name,
  'key', s.key_column, 'fingerprint', s.fingerprint, 'name', (select r.name from portal.resource r where r.id = s.resource_id));

-- For the service: one that is due, taken so that no other copy of the program takes it; null: none is.
create or replace function portal.next_source() returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due portal_private.layer_source;
begin
  select * into due from portal_private.layer_source s
   where not s.is_paused and s.next_at <= now() and not exists (select from portal_private.bin b where b.resource_id = s.resource_id)
   order by s.next_at limit 1 for update skip locked;
  if due.resource_id is null then
    return null;
  end if;
  update portal_private.layer_source s set next_at = now() + make_interval(mins => s.every_minutes), asked_at = now() where s.resource_id = due.resource_id;
  return portal_private.source_order(due);
end
$$;

-- The same of one that somebody who manages it wants now.
create or replace function portal.source_now(target integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_source portal_private.layer_source;
begin
  perform portal.managed_table(target);
  update portal_private.layer_source s set next_at = now() + make_interval(mins => s.every_minutes), asked_at = now()
   where s.resource_id = target returning * into found_source;
  perform portal_private.missing_if(found_source.resource_id is null, 'The layer follows no address.');
  return portal_private.source_order(found_source);
end
$$;

-- Told once in a row of failures, in the pages and by mail as the account has chosen.
create or replace function portal_private.source_failed(target integer, said text) returns void
language plpgsql as $$
begin
  update portal_private.layer_source s set error = left(said, 500), failures = s.failures + 1, fingerprint = null where s.resource_id = target;
  insert into portal_private.notification (account_id, kind, resource_id, resource_type, title, in_pages, mail_due)
    select s.account_id, 'source', r.id, r.resource_type, r.title, coalesce(c.in_pages, true), coalesce(c.by_mail, false) and length(d.email) >= 3
      from portal_private.layer_source s
      join portal.resource r on r.id = s.resource_id
      join portal.account_detail d on d.account_id = s.account_id and d.is_active
      left join portal_private.notification_choice c on c.account_id = s.account_id and c.kind = 'source'
     where s.resource_id = target and s.failures = 1 and (coalesce(c.in_pages, true) or coalesce(c.by_mail, false));
end
$$;

-- For the service: what came of asking, where nothing is imported. `mark`: of what was imported before, and is there still.
create or replace function portal.source_asked(target integer, mark text, failure text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if failure is not null then
    perform portal_private.source_failed(target, failure);
  else
    update portal_private.layer_source s set error = null, failures = 0 where s.resource_id = target and s.fingerprint = mark;
  end if;
end
$$;

-- An import that was made of an address has ended: a new layer follows it from now on; one that does knows how it went.
create or replace function portal_private.source_imported() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  target integer := (new.session ->> 'target')::integer;
begin
  if new.state = 'PROCESSED' and target is null and new.resource_id is not null then
    perform portal_private.bind_source(new.resource_id, new.user_id, new.session -> 'source');
    update portal_private.layer_source s set asked_at = now(), changed_at = now(), fingerprint = new.session -> 'source' ->> 'fingerprint'
     where s.resource_id = new.resource_id;
  elsif new.state = 'PROCESSED' then
    update portal_private.layer_source s set changed_at = now(), error = null, failures = 0, fingerprint = new.session -> 'source' ->> 'fingerprint'
     where s.resource_id = target;
  elsif target is not null then
    perform portal_private.source_failed(target, case when new.state = 'WAITING' then 'What the address answers cannot be read without a question.'
      else coalesce(new.session ->> 'error_msg', 'It could not be imported.') end);
  end if;
  return null;
end
$$;

grant execute on function
  portal.next_remote_service(), portal.note_harvest(integer,jsonb,text), portal.next_source(), portal.source_asked(integer,text,text)
  to survest_authenticator;

grant execute on function
  portal.remote_services(), portal.remote_service(integer), portal.add_remote_service(text,integer,text,text,text,jsonb),
  portal.set_remote_service(integer,integer), portal.drop_remote_service(integer), portal.remote_offer(integer,text),
  portal.bind_remote(integer,integer,text), portal.claim_remote_service(integer), portal.known_remote_layer(integer,text),
  portal.add_remote_record(integer,text,jsonb), portal.layer_source(integer), portal.set_layer_source(integer,jsonb),
  portal.drop_layer_source(integer), portal.source_now(integer)
  to survest_user, survest_admin;
