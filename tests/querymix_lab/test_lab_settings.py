"""The laboratory's options, beside the product's."""

from querymix.settings import LAB_OPTIONS, RunSettings, TopicSettings, WorkerSettings
from querymix_lab import settings


def test_the_product_knows_the_names_of_the_laboratorys_options() -> None:
    product = {name for kind in (RunSettings, TopicSettings, WorkerSettings) for name in kind.model_fields}
    kinds = [kind for name, kind in vars(settings).items() if name.endswith("Settings")]
    assert {name for kind in kinds for name in kind.model_fields} - product == LAB_OPTIONS
