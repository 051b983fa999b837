create trigger guard before update on portal.style
  for each row when (pg_catalog.row_security_active('portal.style')) execute function portal_private.guard_style();

create trigger version after update on portal.style for each row execute function portal_private.after_style();

create trigger versions after update on portal.style
  for each row when ((old.sld_title, old.sld_body, old.sld_version, old.maplibre)
    is distinct from (new.sld_title, new.sld_body, new.sld_version, new.maplibre))
  execute function portal_private.version_after_style();

create trigger stamped after update on portal.style for each row execute function portal_private.after_stamped_style();

create trigger overview after update on portal.style for each row execute function portal_private.overview_after_style();

create trigger unused_style_goes after delete on portal.layer_style
  for each row execute function portal_private.after_style_released();

create trigger version after insert or delete on portal.layer_style
  for each row execute function portal_private.after_look();

create trigger overview after insert on portal.layer_style for each row execute function portal_private.overview_after_style();
