"""Which value of which option is the weaker choice, and why: it stands at the option, and nowhere else.

    Field("host", description="...", json_schema_extra=weaker({"full": "a path may name a person"}))

Rules:
- The help, the page of options and `querymix policy` read it here. No description says it by itself.
- A value is written as in a settings file; `ANY` stands for whatever is named beside an empty default.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic.fields import FieldInfo

ANY: Final = "any"
_KEY: Final = "weaker"


def weaker(why: Mapping[str, str]) -> dict[str, Any]:
    """Return what an option's field takes, out of the reason for each of its weaker values."""
    return {_KEY: dict(why)}


def weaker_of(field: FieldInfo) -> dict[str, str]:
    """Return the reason for each weaker value of an option; empty where it has none."""
    extra = field.json_schema_extra
    found: Any = extra.get(_KEY, {}) if isinstance(extra, dict) else {}
    return dict(found)


def weaker_value(field: FieldInfo, value: Any) -> str | None:
    """Return the weaker value that an option has, None where its value is none."""
    return next((one for one in weaker_of(field) if _is(one, value)), None)


def _is(one: str, value: Any) -> bool:
    if one == ANY:
        return value not in (None, "", [], {})
    if one == "none":
        return value is None
    if one.isdigit() and value is not None:
        return float(value) == float(one)
    return bool(value == one)


def weaker_help(field: FieldInfo) -> str:
    """Return what the help adds to a description, such as " WEAKER: full (a path may name a person)."."""
    words = [f"{'to name some' if one == ANY else one} ({why})" for one, why in weaker_of(field).items()]
    return f" WEAKER: {'; '.join(words)}." if words else ""
