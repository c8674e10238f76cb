"""Microsoft's Presidio behind the detector's method, for comparison: what an operator would take instead.

Its analyzer with the small English spaCy model and all of its own recognizers, as it comes, its list of top-level
domains too: nothing is asked of the network. An entity of any type counts as an identifier.

Source: PyPI presidio-analyzer.
"""

import logging
from importlib import import_module
from typing import Any, Final

from querymix.core.errors import ConfigError
from querymix.core.identifiers import Identifier
from querymix.core.identifiers.spans import merged

from querymix_lab.knowledge.train.reference_tagger import MODEL

MISSING: Final = (
    "Presidio is not installed, so it is left out: pip install 'querymix[presidio]' (presidio-analyzer and "
    f"{MODEL.replace('_', '-')})"
)


class Presidio:
    """A finder over Presidio's analyzer.

    Raises ConfigError where Presidio or the model is not installed.
    """

    def __init__(self, model: str = MODEL) -> None:
        try:
            tldextract = import_module("tldextract.tldextract")
            analyzer = import_module("presidio_analyzer")
            engines = import_module("presidio_analyzer.nlp_engine")
        except ImportError:
            raise ConfigError(MISSING) from None
        vars(tldextract)["TLD_EXTRACTOR"] = tldextract.TLDExtract(suffix_list_urls=())
        logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
        settings = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": model}]}
        try:
            engine = engines.NlpEngineProvider(nlp_configuration=settings).create_engine()
        except (OSError, SystemExit):
            raise ConfigError(MISSING) from None
        self.analyzer: Any = analyzer.AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])

    def find(self, text: str) -> list[Identifier]:
        """Return what Presidio finds in `text`, all under the kind "code"."""
        return merged(Identifier("code", one.start, one.end) for one in self.analyzer.analyze(text, language="en"))
