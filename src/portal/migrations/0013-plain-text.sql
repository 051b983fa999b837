-- Texts of the catalogue may hold HTML; clients that want none read them plain: tags removed, entities decoded, on one line.

create function portal.plain_text(html text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
declare
  plain text := html;
  entity text;
  code bigint;
begin
  if html is null then
    return '';
  end if;
  if position('<' in plain) > 0 then
    plain := regexp_replace(plain, '<!--.*?-->|</?[A-Za-z!][^>]*>', '', 'g');
  end if;
  if position('&' in plain) > 0 then
    plain := replace(replace(replace(replace(replace(plain, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&apos;', ''''), '&nbsp;', ' ');
    -- Numbers of characters; what is no character stays as it was written.
    for entity in select distinct m[1] from regexp_matches(plain, '&#([0-9]{1,7}|[xX][0-9a-fA-F]{1,6});', 'g') m loop
      code := case when lower(left(entity, 1)) = 'x'
                   then ('x' || lpad(substr(entity, 2), 8, '0'))::bit(32)::bigint else entity::bigint end;
      if code between 1 and 1114111 and code not between 55296 and 57343 then
        plain := replace(plain, '&#' || entity || ';', chr(code::integer));
      end if;
    end loop;
    plain := replace(plain, '&amp;', '&');
  end if;
  return btrim(replace(replace(plain, e'\r', ''), e'\n', ' '));
end
$$;
revoke all on function portal.plain_text(text) from public;
grant execute on function portal.plain_text(text) to survest_anon, survest_user, survest_admin;
