"""Builds the package: in plain Python, or with its native path where NATIVE=1 says so (`make native`, `make wheel`).

All else about the package stands in pyproject.toml. The native path is service/native, in Rust; where it is not built,
plain Python does the same.
"""

import os
import platform
from typing import Any

from setuptools import setup


def native() -> dict[str, Any]:
    """Return what builds the native path: one module for every Python from 3.11 on."""
    if os.environ.get("NATIVE") != "1":
        return {}
    from setuptools_rust import Binding, RustExtension  # noqa: PLC0415 - a plain build needs no Rust

    wheel = {"py_limited_api": "cp311"}
    libc, version = platform.libc_ver()
    if libc == "glibc":  # it runs with the glibc that it was linked with and any newer one (PEP 600)
        wheel["plat_name"] = f"manylinux_{version.replace('.', '_')}_{platform.machine()}"
    extension = RustExtension(
        "querymix.native",
        "service/native/Cargo.toml",
        cargo_manifest_args=["--locked"],
        binding=Binding.PyO3,
        py_limited_api=True,
        debug=False,
    )
    return {"rust_extensions": [extension], "options": {"bdist_wheel": wheel}}


setup(**native())
