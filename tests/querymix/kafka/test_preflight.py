"""What must hold before a worker starts, as far as it needs no broker."""

import socket

import pytest
from querymix.core.errors import ConfigError
from querymix.kafka.preflight import check_port


def test_a_port_or_an_address_that_cannot_be_listened_on_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"--http-port: another program listens on port {port}"):
            check_port("127.0.0.1", port)
    check_port("127.0.0.1", port)
    with pytest.raises(ConfigError, match=r"--http-host: 192\.0\.2\.1 is no address of this machine"):
        check_port("192.0.2.1", port)
    with pytest.raises(ConfigError, match=r"--http-host: the name no-such-host\.invalid is not known here"):
        check_port("no-such-host.invalid", port)
