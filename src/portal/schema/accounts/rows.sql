-- Pseudo principals. Ids 1 to 3 are known to the code below; 4 to 10 are kept free for more of the kind.
insert into portal.account (id, username) values (-1, 'AnonymousUser');
