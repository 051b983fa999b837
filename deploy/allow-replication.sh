#!/bin/bash
# Run once, when the database is made: the replica may connect with the password of the superuser.
set -eu
echo 'host replication postgres samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
