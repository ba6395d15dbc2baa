#!/usr/bin/env bash
# The environment variables of the official image: POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE, POSTGRES_USER, POSTGRES_DB, PGDATA.
set -euo pipefail
mkdir -p "$PGDATA"
chown -R postgres /var/lib/postgresql
chmod 700 "$PGDATA"
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  password=${POSTGRES_PASSWORD:-}
  [ -z "${POSTGRES_PASSWORD_FILE:-}" ] || password=$(cat "$POSTGRES_PASSWORD_FILE")
  [ -n "$password" ] || { echo 'POSTGRES_PASSWORD is not set' >&2; exit 1; }
  pwfile=$(mktemp)
  printf '%s' "$password" >"$pwfile"
  chown postgres "$pwfile"
  as_postgres initdb --username="$user" --pwfile="$pwfile" --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-instructions >/dev/null
  rm "$pwfile"
  if [ "$database" != postgres ]; then
    printf 'CREATE DATABASE "%s";\n' "$database" | as_postgres postgres --single -E -D "$PGDATA" postgres >/dev/null
  fi
  printf "host all all all scram-sha-256\n" >>"$PGDATA/pg_hba.conf"
fi
[ "${1:-}" = postgres ] && shift
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -D "$PGDATA" -c listen_addresses='*' "$@"
