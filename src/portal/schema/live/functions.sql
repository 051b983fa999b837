
-- Of a portal: who reads the log. The log itself is made by src/pg/change-log/sql/install.sql, before this.

grant usage on schema survest_live to survest_authenticator;
grant select, delete on survest_live.change to survest_authenticator;

grant execute on function
  survest_live.record(), survest_live.follow(regclass)
  to survest_authenticator;
