#!/bin/sh
# Run once by PostgreSQL's image, on an empty database: the two roles of docs/operations.md.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres \
    --set owner_password="$DATABASE_OWNER_PASSWORD" --set password="$DATABASE_PASSWORD" <<'SQL'
CREATE ROLE fully_booked_owner LOGIN PASSWORD :'owner_password' NOSUPERUSER NOBYPASSRLS;
CREATE ROLE fully_booked LOGIN PASSWORD :'password' NOSUPERUSER NOBYPASSRLS;
CREATE DATABASE fully_booked OWNER fully_booked_owner;
SQL
