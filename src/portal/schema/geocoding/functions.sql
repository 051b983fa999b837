-- An answer is kept for 30 days; that there was none, for an hour.
create or replace function portal.geocoder_answers(keys text[]) returns table (key text, answer jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp rows 500
begin atomic
  select a.key, a.answer from portal_private.geocoder_answer a
   where a.key = any (keys) and a.answered > now() - case when a.answer ? 'failed' then interval '1 hour' else interval '30 days' end;
end;

create or replace function portal.keep_geocoder_answer(key text, answer jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into portal_private.geocoder_answer as a (key, answer) values (keep_geocoder_answer.key, keep_geocoder_answer.answer)
    on conflict on constraint geocoder_answer_pkey do update set answer = excluded.answer, answered = now();
end;

create or replace function portal.trim_geocoder_answers(most integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from portal_private.geocoder_answer a where a.answered <= now() - interval '30 days';
  delete from portal_private.geocoder_answer a
   where a.answered < (select b.answered from portal_private.geocoder_answer b order by b.answered desc offset most limit 1);
end;

-- Takes the next turn; so many milliseconds are left until then.
create or replace function portal.geocoder_turn(per_second double precision) returns integer
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update portal_private.geocoder_turn t set next_at = greatest(t.next_at, clock_timestamp()) + make_interval(secs => 1 / per_second)
  returning greatest(0, ceil(extract(epoch from t.next_at - make_interval(secs => 1 / per_second) - clock_timestamp()) * 1000))::integer;
end;

grant execute on function
  portal.geocoder_answers(text[]), portal.keep_geocoder_answer(text,jsonb), portal.trim_geocoder_answers(integer),
  portal.geocoder_turn(double precision)
  to survest_authenticator;
