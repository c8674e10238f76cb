"""The registrable domain of a host, by the Public Suffix List that comes with the package publicsuffixlist.

Rules:
- Suffixes are those of registries alone ("co.uk"), and not those that companies hand out ("github.io"): a domain is
  what a host falls back to where too few users share it, so the wider one is the better.
- A list that lacks a suffix takes the last label for it, and says too wide a domain. That is safe: what leaves is
  counted by users as it leaves, whatever the list says. Where two lists differ, less is found in a crowd table.

Source: Mozilla, Public Suffix List (https://publicsuffix.org/list/), the algorithm of its wiki.
"""

from collections.abc import Callable
from functools import cache


@cache
def registrable_domains() -> Callable[[str], str]:
    """Return what says the registrable domain of a host in lower case as DNS has it; empty where it has none.

    Raises ModuleNotFoundError where the extra `crowd` is not installed.
    """
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - of an extra

    suffixes = PublicSuffixList(only_icann=True)

    def domain_of(host: str) -> str:
        domain: str | None = suffixes.privatesuffix(host)
        return domain or ""

    return domain_of
