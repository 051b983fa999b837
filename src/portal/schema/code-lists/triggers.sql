create trigger stamped after update on portal.category for each statement execute function portal_private.after_words();

create trigger stamped after update on portal.license for each statement execute function portal_private.after_words();

create trigger stamped after update on portal.restriction_code_type for each statement execute function portal_private.after_words();

create trigger stamped after update on portal.spatial_representation_type for each statement execute function portal_private.after_words();

create trigger stamped after update on portal.region for each statement execute function portal_private.after_words();
