"""The one request that tells whether a Kafka broker is ready: Metadata, version 1, with no topics.

A broker that answers it lists the brokers that the controller lets serve, itself included: that is when clients can
use it. An open port is earlier than that. Source: the Kafka protocol guide, Metadata API (key 3).
"""

import socket
import struct

METADATA, VERSION, CORRELATION = 3, 1, 7
CLIENT = b"querymix-probe"


def _request() -> bytes:
    header = struct.pack(">hhih", METADATA, VERSION, CORRELATION, len(CLIENT)) + CLIENT
    body = struct.pack(">i", 0)  # an array of no topics
    return struct.pack(">i", len(header + body)) + header + body


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = connection.recv(size - len(parts))
        if not part:
            raise ConnectionError("closed by the broker")
        parts += part
    return parts


def serving(port: int, seconds: float = 5) -> int:
    """How many brokers the one on this loopback port says are serving; 0 when it does not answer yet."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
            connection.sendall(_request())
            (size,) = struct.unpack(">i", _exactly(connection, 4))
            correlation, brokers = struct.unpack_from(">ii", _exactly(connection, size))
    except (OSError, struct.error):
        return 0
    return int(brokers) if correlation == CORRELATION else 0
