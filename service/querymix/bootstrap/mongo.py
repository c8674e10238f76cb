"""The parts that need MongoDB; the extra `service` is imported inside the functions."""

from typing import TYPE_CHECKING

from pydantic import SecretStr

from querymix.knowledge.bundle import Bundle
from querymix.settings import MongoSettings, read_secret

if TYPE_CHECKING:
    from querymix.stores.mongo import Client


def mongodb_uri(settings: MongoSettings) -> SecretStr:
    """Return the URI that the settings name. Raises ConfigError where its file cannot be read."""
    return read_secret(settings.mongodb_uri_file, "--mongodb-uri-file") or settings.mongodb


def connect_mongo(settings: MongoSettings) -> "Client":
    """Return a client of the MongoDB that the settings name; it connects when it is first asked."""
    from querymix.stores.mongo import connect  # noqa: PLC0415 - needs the extra `service`

    return connect(mongodb_uri(settings).get_secret_value())


async def try_mongo(settings: MongoSettings) -> "Client":
    """Return a client that was let in. Raises ConfigError or TransientError where it is not, or no server answers."""
    from querymix.stores.mongo import try_out  # noqa: PLC0415 - needs the extra `service`

    client = connect_mongo(settings)
    try:
        await try_out(client, settings.database)
    except BaseException:
        await client.close()
        raise
    return client


async def load_knowledge(settings: MongoSettings, bundle: Bundle) -> dict[str, int]:
    """Fill MongoDB's stores from a bundle, make it the current version, and return how many documents each holds."""
    from querymix.stores.mongo_knowledge import MongoKnowledge  # noqa: PLC0415 - needs the extra `service`

    client = connect_mongo(settings)
    try:
        return await MongoKnowledge(client, settings.database).load(bundle)
    finally:
        await client.close()
