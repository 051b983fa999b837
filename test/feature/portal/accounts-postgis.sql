-- A database as an operator may have made it: empty, with PostGIS.
create extension if not exists postgis;
