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

grant execute on function
  portal.next_remote_service(), portal.note_harvest(integer,jsonb,text)
  to survest_authenticator;

grant execute on function
  portal.remote_services(), portal.remote_service(integer), portal.add_remote_service(text,integer,text,text,text,jsonb),
  portal.set_remote_service(integer,integer), portal.drop_remote_service(integer), portal.remote_offer(integer,text),
  portal.bind_remote(integer,integer,text), portal.claim_remote_service(integer), portal.known_remote_layer(integer,text),
  portal.add_remote_record(integer,text,jsonb)
  to survest_user, survest_admin;
