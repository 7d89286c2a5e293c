# SPDX-License-Identifier: BSD-3-Clause
"""Results as pickles, and what is said where somebody makes by hand what only functions give."""

from __future__ import annotations

import copyreg
from typing import Any, Callable

from . import _limber


def _restored(name: str, fields: dict[str, Any]) -> Any:
    return getattr(_limber, name).from_dict(fields)


def _pickled(result: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _restored, (type(result).__name__, result.to_dict())


def _made_by_limber(kind: Any, *arguments: Any, **named: Any) -> Any:
    raise TypeError(f"limber.{kind.__name__} is what limber's functions give: it cannot be made by hand")


def _has_init(kind: Any) -> bool:
    return any("__init__" in vars(base) and "->" in (vars(base)["__init__"].__doc__ or "") for base in kind.__mro__ if base.__module__ == _limber.__name__)


for _kind in vars(_limber).values():
    if not isinstance(_kind, type) or issubclass(_kind, BaseException):
        continue
    if hasattr(_kind, "to_dict") and hasattr(_kind, "from_dict") and _kind is not _limber.Model:
        copyreg.pickle(_kind, _pickled)
    if not _has_init(_kind):
        setattr(_kind, "__new__", staticmethod(_made_by_limber))
