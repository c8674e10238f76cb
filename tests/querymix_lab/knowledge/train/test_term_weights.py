"""The parts of the pipeline that made the weights: texts, student, teachers, on small made-up data."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from querymix.core.knowledge import CATEGORIES
from querymix.core.packed_weights import FIELDS, LARGEST, unpack
from querymix.core.word_pieces import piece_weights
from querymix_lab.knowledge.sources.default import Inputs
from querymix_lab.knowledge.sources.files import SourceError
from querymix_lab.knowledge.sources.languages import ENGLISH, LANGUAGES
from querymix_lab.knowledge.train.examples import NOT_TAUGHT, PHRASES, Reading, listed, phrases
from querymix_lab.knowledge.train.made_up_texts import made_up_texts

ARTS, SPORTS = CATEGORIES.index("Arts"), CATEGORIES.index("Sports")


def test_phrases_have_a_first_category_and_lesser_ones(tmp_path: Path) -> None:
    path = tmp_path / "phrases.tsv"
    path.write_text("# note\nArts,Sports\tBallet Shoes, tap dance\nSports\ttap dance\n")
    first, second = phrases(path)
    assert (first.text, first.labels[ARTS], first.labels[SPORTS]) == ("ballet shoes", 1.0, 0.75)
    assert (second.text, second.labels[ARTS], second.labels[SPORTS]) == ("tap dance", 1.0, 1.0)


@pytest.mark.parametrize(("line", "reason"), [("Music\ta", "unknown category"), ("Arts\ta,,b", "empty query")])
def test_a_fault_in_the_phrases_is_told(tmp_path: Path, line: str, reason: str) -> None:
    (tmp_path / "phrases.tsv").write_text(line + "\n")
    with pytest.raises(SourceError, match=f":1: an {reason}"):
        phrases(tmp_path / "phrases.tsv")


@pytest.mark.parametrize("language", [ENGLISH, *LANGUAGES])
def test_the_packages_own_phrases_are_readable_and_of_every_category(language: str) -> None:
    own = phrases(PHRASES / f"{language}.tsv")
    assert len(own) > 4_000
    assert all(any(phrase.labels[place] == 1.0 for phrase in own) for place in range(len(CATEGORIES)))


def test_listed_terms_are_examples_of_all_their_categories_but_audiences_and_kinds_of_site(tmp_path: Path) -> None:
    (tmp_path / "topics-a.tsv").write_text("Arts/Music\tballet, tap dance\nNews/Papers\tdaily ballet\n")
    (tmp_path / "topics-b.tsv").write_text("Sports\ttap dance\nKids and Teens\ttap dance\n")
    (tmp_path / "famous.tsv").write_text("Sports/Golf\tjo zzyzx\n")
    found = {
        term.text: {CATEGORIES[place] for place, label in enumerate(term.labels) if label} for term in listed(tmp_path)
    }
    assert found == {"ballet": {"Arts"}, "tap dance": {"Arts", "Sports"}, "jo zzyzx": {"Sports"}}
    assert set(CATEGORIES) > NOT_TAUGHT


def test_a_listed_term_of_an_unknown_category_is_told(tmp_path: Path) -> None:
    (tmp_path / "famous.tsv").write_text("Arts\tjo zzyzx\nMusic\tballet\n")
    with pytest.raises(SourceError, match=r"famous\.tsv:2: an unknown category"):
        listed(tmp_path)


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """Terms where "the" and "hotel" are the words of the web."""
    path = tmp_path / "unigrams.txt"
    path.write_text("the\t9000000\nhotel\t800000\n")
    return Reading(path)


@pytest.mark.parametrize(
    ("language", "text", "terms"),
    [
        ("en", "Women's t-shirts AT&T", ["women", "t", "shirts", "at", "t"]),
        ("en", "Café hôtel", ["cafe", "hotel"]),
        ("fr", "Café hôtel", ["cafe", "hôtel"]),
        ("fr", "L'assurance d\u2019une école", ["assurance", "une", "ecole"]),
        ("it", "dell'auto", ["auto"]),
        ("de", "Fußball-WM in Köln", ["fussball", "wm", "in", "koln"]),
    ],
)
def test_the_terms_of_a_text_are_what_the_classifier_looks_up(
    reading: Reading, language: str, text: str, terms: list[str]
) -> None:
    assert reading.tokens(text, language) == terms


def test_the_student_learns_what_terms_say() -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.student import fit, soft, vocabulary  # noqa: PLC0415 - the extra `teach`

    texts = [["ballet"], ["goal"], ["ballet", "goal"], ["ballet", "goal"]]
    terms = vocabulary(texts)
    assert terms == ["ballet", "ballet goal", "goal"]
    targets = np.full((4, FIELDS), 0.01, np.float32)
    for row, place in enumerate((ARTS, SPORTS, ARTS, ARTS)):
        targets[row, place] = 1
    learned = fit(texts, targets / targets.sum(1, keepdims=True), np.ones(4, np.float32), terms)
    assert learned.shape == (3, FIELDS)
    assert np.allclose(learned.mean(1), 0, atol=1e-5)
    assert learned[0].argmax() == ARTS
    assert learned[2].argmax() == SPORTS
    assert (learned.sum(0)).argmax() == ARTS
    assert np.allclose(soft(np.zeros((2, 4), np.float32), 1.0), 0.25)


def test_a_target_lies_between_a_teachers_scores_and_the_labels() -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.term_weights import _mixed  # noqa: PLC0415 - the extra `teach`

    labels = np.array([[1, 0, 0, 0], [1, 1, 0, 0]], np.float32)
    mixed = _mixed(np.zeros((2, 4), np.float32), labels, 0.7)
    assert np.allclose(mixed, [[0.775, 0.075, 0.075, 0.075], [0.425, 0.425, 0.075, 0.075]])


@pytest.mark.parametrize("landmarks", [0, 5])
def test_a_teacher_gives_back_what_it_saw(landmarks: int) -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.teacher import KernelRidge  # noqa: PLC0415 - the extra `teach`

    known = np.repeat(np.eye(6, 8, dtype=np.float32), 3, axis=0)
    labels = np.repeat(np.eye(6, FIELDS, dtype=np.float32), 3, axis=0)
    teacher = KernelRidge(known, labels, gamma=2.0, ridge=0.1, landmarks=landmarks * 3)
    named = teacher(known).argmax(1) == labels.argmax(1)
    assert named.mean() >= (0.8 if landmarks else 1.0)


def test_the_table_of_word_pieces_knows_a_word_by_words_like_it() -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.piece_table import ROWS, learned_table  # noqa: PLC0415 - the extra `teach`

    scores = np.zeros((4, FIELDS), np.float32)
    scores[[0, 1], SPORTS] = scores[[2, 3], ARTS] = 1.0
    table = learned_table(["footballer", "football", "theatre", "theatres"], scores, 0.2)
    assert len(table) == ROWS * FIELDS
    for word, place in (("footballing", SPORTS), ("theatrical", ARTS)):
        weights = unpack(piece_weights(word, table))
        assert weights.index(max(weights)) == place
    assert piece_weights("zzqqkk", table) == 0


def test_a_term_stands_in_the_file_of_the_first_language_that_has_it() -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.term_weights import Part, _by_language, _pieces  # noqa: PLC0415 - as above

    def part(language: str, texts: list[str], place: int) -> Part:
        scores = np.zeros((len(texts), FIELDS), np.float32)
        scores[:, place] = 1.0
        return Part(language, texts, scores, scores, np.ones(len(texts), np.float32))

    parts = [
        part("en", ["hotel", "the goal"], SPORTS),
        part("de", ["hotel ballett"], ARTS),
        part("en", ["ballett"], SPORTS),
    ]
    split = [text.split() for one in parts for text in one.texts]
    kept = dict.fromkeys(("hotel", "goal", "ballett", "hotel ballett", "never seen"), (1,) * FIELDS)
    found = {language: set(terms) for language, terms in _by_language(kept, parts, split).items()}
    assert found == {"en": {"hotel", "goal"}, "de": {"hotel ballett", "ballett"}}
    table = _pieces(parts, split)
    assert unpack(piece_weights("hotel", table))[SPORTS] > 0
    assert piece_weights("zzqqkk", table) == 0, "texts of several words teach no pieces"


def test_terms_that_hardly_matter_are_left_out_and_longer_ones_sooner_and_a_text_keeps_its_zeros() -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.term_weights import kept_weights  # noqa: PLC0415 - as above

    terms = {"goal": 0.05, "gool": 0.02, "good": 0.02, "own goal": 0.05, "home goal": -5.0}
    learned = np.array([[largest, *[0.0] * (FIELDS - 1)] for largest in terms.values()], np.float32)
    assert kept_weights(list(terms), learned, {"good", "goal"}) == {
        "goal": (2, *[0] * (FIELDS - 1)),
        "good": (0,) * FIELDS,
        "home goal": (-LARGEST, *[0] * (FIELDS - 1)),
    }


def test_embeddings_are_kept_by_texts_and_model(tmp_path: Path) -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.encoder import kept  # noqa: PLC0415 - as above

    made: list[int] = []

    def make() -> Any:
        made.append(1)
        return np.full((1, 2), len(made), np.float16)

    cache = tmp_path / "cache"
    values = [
        kept(model, texts, cache, make)[0, 0]
        for model, texts in (("a", ["x"]), ("a", ["x"]), ("b", ["x"]), ("a", ["y"]))
    ]
    assert values == [1, 1, 2, 3]


def test_made_up_texts_are_the_same_each_time_each_once_and_some_hold_an_example(inputs: Inputs) -> None:
    examples = ["tap dance zyzzx", "ballet zyzzx"]
    texts = made_up_texts(inputs, examples, 60)
    assert texts == made_up_texts(inputs, examples, 60)
    assert len(texts) == len(set(texts)) == 60
    beside = [text.replace(example, "").strip() for text in texts for example in examples if example in text]
    assert beside
    assert all(beside), "an example stands beside something else"
