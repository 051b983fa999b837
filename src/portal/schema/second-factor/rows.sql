insert into portal_private.sign_in_rule default values;
