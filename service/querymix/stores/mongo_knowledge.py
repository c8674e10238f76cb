"""The knowledge base in MongoDB: entropy, recommendation and category stores, named word lists, weights of word pieces.

Rules:
- Each version has collections of its own, named after it; a document in `knowledge` says which one is current and is
  written last, so that no worker ever reads half of one. It names the bundle format too: what an older querymix has
  loaded lacks fields, and is refused rather than read as if they were empty.
- Workers do not ask the database for terms: they read all of them into a bundle of their own, once a version.
- What was read is what its version says, or it is refused: the version is a hash of the content.
- Of older versions, the one before the current one stays for workers that are still reading it.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pymongo import ReplaceOne
from pymongo.errors import PyMongoError

from querymix.core.errors import ConfigError, TransientError
from querymix.core.knowledge import Term
from querymix.core.packed_weights import from_bytes, to_bytes
from querymix.knowledge.bundle import Bundle
from querymix.knowledge.layout import FORMAT, READ, Source, is_newer
from querymix.knowledge.writing import bundle_bytes, write
from querymix.stores.mongo import Client
from querymix.stores.mongo_failures import failed

TERM_KINDS: Final = ("entropy", "recommendation", "category")
"""The stores with a document a term."""
LIST_KIND: Final = "words"
"""The store with a document a word list."""
PIECE_KIND: Final = "pieces"
"""The store of the table of word pieces, a document a mebibyte: a document may have sixteen at most."""
KINDS: Final = (*TERM_KINDS, LIST_KIND, PIECE_KIND)
_PIECE_CHUNK: Final = 1 << 20
_CHUNK: Final = 5000
_CURRENT: Final = {"_id": "current"}
_DAMAGED: Final = (
    "the knowledge in MongoDB is not what was loaded into it: documents are missing or were changed. Load it again "
    "with 'querymix knowledge load'"
)


class MongoKnowledge:
    """The knowledge stores in a database of `client`'s."""

    def __init__(self, client: Client, database: str) -> None:
        self._client, self._database = client, database
        self._db = client[database]

    def use(self, client: Client) -> Client:
        """Ask another client from now on, and return the one before."""
        old, self._client = self._client, client
        self._db = client[self._database]
        return old

    async def version(self) -> str | None:
        """Return the current version, None where none was loaded yet. Raises TransientError where MongoDB is away."""
        try:
            current = await self._db["knowledge"].find_one(_CURRENT)
        except PyMongoError as error:
            raise failed(error) from None
        return None if current is None else str(current["version"])

    async def load(self, bundle: Bundle) -> dict[str, int]:
        """Fill the stores from a bundle, make it current, and return how many documents each store has."""
        counts = dict.fromkeys(KINDS, 0)
        try:
            before = await self._db["knowledge"].find_one(_CURRENT)
            terms = bundle.terms()
            while chunk := list(islice(terms, _CHUNK)):
                for kind in TERM_KINDS:
                    counts[kind] += await self._put(_name(kind, bundle.version), _rows(kind, chunk))
            lists = ({"_id": name, "entries": sorted(entries)} for name, entries in bundle.word_lists.items())
            counts[LIST_KIND] = await self._put(_name(LIST_KIND, bundle.version), lists)
            table = bytes(bundle.piece_weights)
            rows = ({"_id": at, "rows": table[at : at + _PIECE_CHUNK]} for at in range(0, len(table), _PIECE_CHUNK))
            counts[PIECE_KIND] = await self._put(_name(PIECE_KIND, bundle.version), rows)
            current = _CURRENT | {
                "version": bundle.version,
                "format": FORMAT,
                "before": None if before is None else before["version"],
                "sources": bundle.header["sources"],
                "bias": bundle.header["bias"],
            }
            await self._db["knowledge"].replace_one(_CURRENT, current, upsert=True)
            await self._drop_all_but({str(current["version"]), str(current["before"])})
        except PyMongoError as error:
            raise failed(error) from None
        return counts

    async def _put(self, collection: str, rows: Iterable[dict[str, Any]]) -> int:
        """Write documents and return how many there were."""
        writes = [ReplaceOne({"_id": row["_id"]}, row, upsert=True) for row in rows]
        if writes:
            await self._db[collection].bulk_write(writes, ordered=False)
        return len(writes)

    async def _drop_all_but(self, kept: set[str]) -> None:
        names = {_name(kind, version) for kind in KINDS for version in kept}
        for name in await self._db.list_collection_names():
            if name.partition("_")[0] in KINDS and name not in names:
                await self._db.drop_collection(name)

    async def bundle(self, folder: Path) -> Bundle:
        """Read the current version into a bundle in `folder` and open it.

        Raises ConfigError where none was loaded, another querymix loaded it, or it is not what was loaded;
        TransientError where MongoDB is away.
        """
        try:
            current = await self._db["knowledge"].find_one(_CURRENT)
            if current is None:
                raise ConfigError("there is no knowledge in MongoDB: load it with 'querymix knowledge load'")
            if current.get("format") not in READ:
                newer = is_newer(current.get("format"))
                raise ConfigError(
                    f"{'a newer' if newer else 'an older'} querymix loaded the knowledge in MongoDB, in a format "
                    f"that this one does not read: {'update this one, or ' if newer else ''}load it again with "
                    "'querymix knowledge load'"
                )
            content = await self._content(current)
        except PyMongoError as error:
            raise failed(error) from None
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, struct.error):
            raise ConfigError(_DAMAGED) from None
        digest = hashlib.sha256(content).hexdigest()  # and not the version, which is whatever stands in the database
        path = folder / f"{digest}.bundle"
        write(path, content)
        with suppress(ConfigError):  # of a bundle that cannot be one
            bundle = Bundle(path)
            if bundle.version == current["version"]:
                return bundle
            bundle.close()
        path.unlink()
        if await self.version() != current["version"]:
            raise TransientError("the knowledge in MongoDB was loaded anew while it was read: try again")
        raise ConfigError(_DAMAGED)

    async def _content(self, current: dict[str, Any]) -> bytes:
        """Return the bytes of a version's bundle."""
        terms: dict[str, Term] = {}
        for kind in TERM_KINDS:
            async for row in self._db[_name(kind, current["version"])].find():
                terms[row["_id"]] = _merged(terms.get(row["_id"], Term()), row)
        lists = {row["_id"]: row["entries"] async for row in self._db[_name(LIST_KIND, current["version"])].find()}
        chunks = self._db[_name(PIECE_KIND, current["version"])].find().sort("_id")
        pieces = b"".join([row["rows"] async for row in chunks])
        sources = [Source(**source) for source in current["sources"]]
        return bundle_bytes(sorted(terms.items()), sources, current["bias"], lists, pieces)


def _name(kind: str, version: str) -> str:
    return f"{kind}_{version[:16]}"


def _rows(kind: str, terms: list[tuple[str, Term]]) -> Iterator[dict[str, Any]]:
    for name, term in terms:
        if kind == "entropy" and term.references:
            yield {"_id": name, "references": term.references}
        elif kind == "recommendation" and term.recommendation:
            yield {"_id": name, "recommendation": term.recommendation}
        elif kind == "category":
            row: dict[str, Any] = {"_id": name, "tags": term.tags, "span": term.span}
            if term.category >= 0:
                row |= {"category": term.category, "path": term.path}
            if term.weights:
                row["weights"] = to_bytes(term.weights)
            bits = {"later_bits": term.later_bits, "first_bits": term.first_bits}
            yield row | {name: value for name, value in bits.items() if value}


def _merged(term: Term, row: dict[str, Any]) -> Term:
    """Return a term with what a document of one of its stores says: their fields have the names of a term's."""
    facts: dict[str, Any] = row | {"weights": from_bytes(row["weights"])} if "weights" in row else dict(row)
    del facts["_id"]
    return term._replace(**facts)
