"""A writer of releases, in plain Python or natively."""

from querymix.codecs.aol import AolCodec
from querymix.kafka.releases import ReleaseWriter

from tests.querymix.kafka.whole import TOPICS


def writer_of(partitions: int, *, native: bool) -> ReleaseWriter:
    """Return a writer to topics of so many partitions."""
    writer = ReleaseWriter(TOPICS, dict.fromkeys(TOPICS, partitions), AolCodec(), category_header=True)
    if not native:
        writer._native = None
    return writer
