"""What of the machine must hold before a worker starts."""

import errno
import socket

from querymix.core.errors import ConfigError


def check_port(host: str, port: int) -> None:
    """Raise ConfigError, with the option, where nothing could listen at this address."""
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, protocol) as tried:
                # As the web server does: a port that only waits for its last connections to end is free.
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    tried.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                tried.bind(address)
    except socket.gaierror as error:
        raise ConfigError(f"--http-host: the name {host} is not known here ({error.strerror})") from None
    except OSError as error:
        raise ConfigError(_port_refused(error, host, port)) from None


def _port_refused(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"--http-port: another program listens on port {port} of {host}, maybe another worker: give each worker on "
            "this machine a port of its own"
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--http-host: {host} is no address of this machine"
    if error.errno == errno.EACCES:
        return f"--http-port: this user may not listen on port {port}; take one above 1023"
    return f"--http-host, --http-port: cannot listen on port {port} of {host}: {error.strerror}"
