#!/usr/bin/env bash
# As the official image: each KAFKA_A_B_C is the setting a.b.c of the broker; __ is _, ___ is -. Without any, one node for itself.
set -euo pipefail
settings=/tmp/server.properties
declare -A all=(
  [process.roles]=broker,controller [node.id]=1 [controller.quorum.voters]=1@localhost:9093
  [listeners]=PLAINTEXT://:9092,CONTROLLER://:9093 [advertised.listeners]=PLAINTEXT://localhost:9092
  [controller.listener.names]=CONTROLLER [listener.security.protocol.map]=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
  [offsets.topic.replication.factor]=1 [transaction.state.log.replication.factor]=1 [transaction.state.log.min.isr]=1
  [group.initial.rebalance.delay.ms]=0 [log.dirs]=/var/lib/kafka/data
)
while IFS='=' read -r name value; do
  case $name in
    KAFKA_HEAP_OPTS | KAFKA_OPTS | KAFKA_HOME) ;;
    KAFKA_*)
      key=$(printf '%s' "${name#KAFKA_}" | tr '[:upper:]' '[:lower:]' | sed 's/___/-/g; s/__/\x01/g; s/_/./g; s/\x01/_/g')
      all[$key]=$value
      ;;
  esac
done < <(env)
for key in "${!all[@]}"; do printf '%s=%s\n' "$key" "${all[$key]}"; done >"$settings"
java -cp '/opt/kafka/libs/*' kafka.tools.StorageTool format --ignore-formatted -t "${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}" -c "$settings"
exec java ${KAFKA_HEAP_OPTS:--Xmx512m} -cp '/opt/kafka/libs/*' kafka.Kafka "$settings"
