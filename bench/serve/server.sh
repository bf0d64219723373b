# Sourced by load and soak: starts a server on one core and sends requests from another.
# Usage of both: … [BUILD] [transport]; `transport` measures bytes and threads without estimates.
start_server() {  # BUILD [transport]
  build=$(realpath "${1:-build}")
  folder=$(mktemp -d)
  trap 'kill "$server" 2>/dev/null && wait "$server"; rm -rf "$folder"' EXIT
  port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  local command=("$build/bin/serve_transport" "$port")
  if [ "${2:-}" != transport ]; then
    local store="sqlite:$folder/s.db"
    HOME=$folder "$build/bin/ampere" profile cnn5 --rig sim:xavier --store "$store" >/dev/null
    command=("$build/bin/ampere" serve --listen "127.0.0.1:$port" --store "$store")
  fi
  HOME=$folder taskset -c 0 "${command[@]}" >/dev/null &
  server=$!
  for _ in $(seq 100); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return
    sleep 0.1
  done
  echo "the server does not listen" >&2
  exit 1
}

# Prints "REQUESTS_PER_SECOND P50_MS P99_MS ERRORS". $RATE and $QUICK: see requests.lua.
send_requests() {  # SECONDS CONNECTIONS
  CONNECTIONS=$2 taskset -c 1 wrk --threads 1 --connections "$2" --duration "$1" --timeout 10s \
    --script "$(dirname "$0")/requests.lua" "http://127.0.0.1:$port" | awk '$1 == "result" { print $2, $3, $4, $5 }'
}

rss_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$server/status"; }
