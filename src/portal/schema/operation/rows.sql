insert into portal_private.service_mode default values;

insert into portal_private.storage_default default values;
