"""Membership in a consumer group."""

from dataclasses import dataclass
from typing import Any, Final

NOTICED_WITHIN: Final = 30.0
"""Seconds within which a member notices that a topic has more partitions; the clients' default is five minutes."""


@dataclass(frozen=True)
class Member:
    """How a worker belongs to a group."""

    group: str
    session_timeout: float
    """Seconds after which a member that the broker has not heard of loses its partitions."""
    instance: str | None = None
    """Static membership: a name that no other member has."""

    @property
    def heartbeat(self) -> float:
        """Seconds between two signs of life."""
        return self.session_timeout / 4

    def options(self) -> dict[str, Any]:
        """Return the options of an aiokafka consumer."""
        return {
            "group_id": self.group,
            "group_instance_id": self.instance,
            "session_timeout_ms": int(self.session_timeout * 1000),
            "heartbeat_interval_ms": int(self.heartbeat * 1000),
            "metadata_max_age_ms": int(NOTICED_WITHIN * 1000),
        }
