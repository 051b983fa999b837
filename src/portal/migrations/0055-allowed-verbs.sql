-- What OPTIONS may promise: the writing verbs of an address of the API that would not be refused to the caller as a whole. By the same
-- functions that the guards of the tables ask; whether a single value may be written, only writing tells.
--
-- `collection` is the first part of the address, `item` the number in it, `below` what follows that. Null: nothing is known of such an
-- address, and it takes what it takes; visitors write nowhere.
create function portal.allowed_verbs(collection text, item integer, below text) returns text[]
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
  admin boolean := portal.is_admin();
  writable boolean := portal.writable();
begin
  if me is null then
    return '{}';
  end if;
  case
    when collection in ('resources', 'layers', 'datasets', 'maps', 'documents', 'geoapps', 'geostories') then
      if item is null then
        return case when below is not null then null
                    when not writable then '{}'::text[]
                    when portal.may_add() then '{POST,PATCH,DELETE}'::text[]
                    else '{PATCH,DELETE}'::text[] end;
      end if;
      return case
        when below is null then
          case when portal.may(item, 'change_resourcebase') or portal.may(item, 'change_resourcebase_metadata')
                 or portal.may(item, 'publish_resourcebase') then '{PUT,PATCH}'::text[] else '{}'::text[] end
          || case when portal.may(item, 'delete_resourcebase') then '{DELETE}'::text[] else '{}'::text[] end
        when below = 'delete' then
          case when portal.may(item, 'delete_resourcebase') then '{DELETE}'::text[] else '{}'::text[] end
        when below in ('set_perms', 'permissions') then
          case when portal.may(item, 'change_resourcebase_permissions') then '{POST,PUT,PATCH,DELETE}'::text[]
               else '{}'::text[] end
        when below in ('replace', 'append') then
          case when portal.may(item, 'change_layer_data') then '{POST,PUT}'::text[] else '{}'::text[] end
        else null end;
    when collection = 'users' then
      return case
        when not writable then '{}'::text[]
        when item is null then case when admin then '{POST,PATCH,DELETE}'::text[] else '{PATCH,DELETE}'::text[] end
        when admin or item = me then '{PUT,PATCH,DELETE}'::text[]
        else '{}'::text[] end;
    when collection = 'groups' then
      return case
        when not writable then '{}'::text[]
        when item is null then
          case when admin then '{POST,PATCH,DELETE}'::text[]
               when exists (select from portal.group_member m where m.account_id = me and m.is_manager) then '{PATCH}'::text[]
               else '{}'::text[] end
        -- Whoever is in a group may leave it.
        when below ~ '^members/' then
          case when admin or portal.is_manager(item) or below = 'members/' || me then '{DELETE}'::text[] else '{}'::text[] end
        when exists (select from portal.user_group g where g.id = item and g.builtin) then '{}'::text[]
        when below = 'members' then
          case when admin or portal.is_manager(item) then '{POST}'::text[] else '{}'::text[] end
        when admin then '{PUT,PATCH,DELETE}'::text[]
        when portal.is_manager(item) then '{PUT,PATCH}'::text[]
        else '{}'::text[] end;
    when collection in ('uploads', 'upload') then
      return case
        when not portal.may_add() then '{}'::text[]
        when item is not null and not exists (
          select from portal.upload u where u.id = item and (u.user_id = me or admin)) then '{}'::text[]
        else '{POST,PUT,PATCH,DELETE}'::text[] end;
    when collection = 'settings' then
      return case when admin then '{PATCH}'::text[] else '{}'::text[] end;
    else
      return null;
  end case;
end
$$;
revoke all on function portal.allowed_verbs(text, integer, text) from public;
grant execute on function portal.allowed_verbs(text, integer, text) to survest_anon, survest_user, survest_admin;
