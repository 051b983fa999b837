-- What a catalogue of others offers and no map can show, but links to a file or a page, becomes a document of this catalogue: an address elsewhere.
-- It is chosen, known again and looked after as the layers of services are, and kept in the same table.

-- Null: it is none that the caller may choose.
create function portal.remote_document_offer(service integer, wanted text) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  offer jsonb;
begin
  perform portal_private.require_registrar();
  if not exists (select from portal_private.remote_service s where s.id = service and portal_private.sees_service(s)) then
    return null;
  end if;
  offer := portal_private.remote_offer(service, wanted);
  return case when portal_private.document_address(offer) is not null then offer end;
end
$$;

-- Of an offer that is no layer. Null: it links to nothing.
create function portal_private.document_address(offer jsonb) returns text
language sql immutable
return case when coalesce(jsonb_typeof(offer -> 'layer'), 'null') <> 'object' and length(offer ->> 'page') <= 2048
                 and offer ->> 'page' ~* '^https?://[^\s/?#]\S*$' then offer ->> 'page' end;

-- For the record that the caller has just made.
create function portal.bind_remote_document(target integer, service integer, wanted text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_registrar();
  perform portal_private.require(portal_private.who(), target, 4);
  if portal.remote_document_offer(service, wanted) is null then
    raise exception 'The service does not offer it.' using errcode = 'check_violation';
  end if;
  if not exists (select from portal.resource r where r.id = target and r.resource_type = 'document' and r.doc_url is not null)
     or exists (select from portal_private.remote_layer l where l.resource_id = target) then
    raise exception 'It has content of its own.' using errcode = 'check_violation';
  end if;
  insert into portal_private.remote_layer (resource_id, service_id, offer_name) values (target, service, wanted);
end
$$;

-- The record of the catalogue that an offer becomes, or is already: {"layer": "7", "document": null}. Null: neither.
create function portal.add_remote_record(service integer, wanted text) returns jsonb
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  offer jsonb := portal.remote_document_offer(service, wanted);
  known integer := portal.known_remote_layer(service, wanted);
  words text[];
  box double precision[];
  made integer;
begin
  made := coalesce(known, case when offer is null then portal.add_remote_layer(service, wanted) end);
  if made is not null or offer is null then
    return (select jsonb_build_object('layer', case when r.resource_type = 'layer' then r.id::text end,
                     'document', case when r.resource_type = 'document' then r.id::text end)
              from portal.resource r where r.id = made);
  end if;
  insert into portal.resource (resource_type, title, abstract, attribution, doc_url, extension, doc_type)
    values ('document', offer ->> 'title', offer ->> 'abstract', nullif(offer ->> 'attribution', ''), offer ->> 'page',
      offer -> 'document' ->> 'extension', coalesce(offer -> 'document' ->> 'type', 'other'))
    returning id into made;
  words := array(select w.word from jsonb_array_elements_text(
    case when jsonb_typeof(offer -> 'keywords') = 'array' then offer -> 'keywords' else '[]' end) w(word) where length(btrim(w.word)) between 1 and 100);
  if cardinality(words) > 0 then
    perform portal.set_keywords(made, words);
  end if;
  box := array(select b.side::text::double precision from jsonb_array_elements(
    case when jsonb_typeof(offer -> 'bbox') = 'array' then offer -> 'bbox' else '[]' end) with ordinality b(side, n) order by b.n);
  if cardinality(box) = 4 and box[1] < box[3] and box[2] < box[4] then
    update portal.resource r set ll_bbox_polygon = area.box, bbox_polygon = area.box
      from (select format('SRID=4326;POLYGON((%s %s,%s %s,%s %s,%s %s,%s %s))', box[1], box[2], box[3], box[2], box[3], box[4],
              box[1], box[4], box[1], box[2]) as box) area
     where r.id = made;
  end if;
  perform portal.bind_remote_document(made, service, wanted);
  return jsonb_build_object('layer', null, 'document', made::text);
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

revoke all on all functions in schema portal_private from public;
revoke all on function portal.remote_document_offer(integer, text), portal.bind_remote_document(integer, integer, text),
  portal.add_remote_record(integer, text) from public;
grant execute on function portal.remote_document_offer(integer, text), portal.bind_remote_document(integer, integer, text),
  portal.add_remote_record(integer, text) to survest_user, survest_admin;
