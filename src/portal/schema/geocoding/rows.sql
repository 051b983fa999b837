insert into portal_private.geocoder_turn default values;
