"""Opens connections that ask once and then stay idle. Usage: idle_connections.py PORT COUNT PROCESS
Prints the resident memory of the process, in KiB, while all of them are open."""

import resource
import socket
import sys

port, count, process = (int(argument) for argument in sys.argv[1:])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 100), hard))

connections = []
for _ in range(count):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert connection.recv(4096).startswith(b"HTTP/1.1 200"), "not answered"
    connections.append(connection)
with open(f"/proc/{process}/status", encoding="ascii") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmRSS")))
