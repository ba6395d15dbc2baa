#!/usr/bin/env bash
# PostgreSQL answers on its port. While the entry point prepares the data, it listens on no port.
exec 3<>/dev/tcp/127.0.0.1/"${PGPORT:-5432}"
