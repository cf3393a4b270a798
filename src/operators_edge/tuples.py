"""``NamedTuple`` and ``cast`` as in ``typing``, which costs a fifth of the interpreter's start to import.

A hook defines dozens of named tuples each time it runs, and makes few: one of these costs a tenth to define.
To a type checker both are the originals.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import (
        Any,
        NamedTuple as NamedTuple,  # noqa: PLC0414 - exported
        Self,
        cast as cast,  # noqa: PLC0414 - as above
    )
else:
    from _collections import _tuplegetter  # what collections.namedtuple makes its fields of

    class _Kind(type):
        """Turns the annotated names of a class into the fields of a tuple."""

        def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            fields = tuple(space.get("__annotations__", ()))
            if not fields:  # NamedTuple itself, or a class derived from a finished one
                return super().__new__(cls, name, bases, space)
            defaults = {field: space.pop(field) for field in fields if field in space}
            rest = tuple(defaults.values())
            if tuple(defaults) != fields[len(fields) - len(rest) :]:
                raise TypeError(f"{name}: a field without a default follows one that has one")
            getters = {field: _tuplegetter(at, "") for at, field in enumerate(fields)}
            about = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            about["_rest"] = rest
            return super().__new__(cls, name, bases, {"__slots__": (), **space, **getters, **about})

    class NamedTuple(tuple, metaclass=_Kind):
        """See ``typing.NamedTuple``."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012 - of a class, as in the original
        _rest = ()

        def __new__(cls, *values: Any, **named: Any) -> Self:
            fields = cls._fields
            if not named:
                missing = len(fields) - len(values)
                if missing == 0:
                    return tuple.__new__(cls, values)
                if 0 < missing <= len(cls._rest):
                    return tuple.__new__(cls, values + cls._rest[-missing:])
            given = dict(zip(fields, values, strict=False))
            known = {**cls._field_defaults, **given, **named}
            is_twice = len(given) < len(values) or not named.keys().isdisjoint(given)
            if is_twice or known.keys() != set(fields):
                raise TypeError(f"{cls.__name__} has the fields {fields}, not {values} and {named}")
            return tuple.__new__(cls, [known[field] for field in fields])

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            return cls(*values)

        def _replace(self, **named: Any) -> Self:
            values = [
                named.pop(field, value) for field, value in zip(self._fields, self, strict=True)
            ]
            return type(self)(*values, **named)

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            said = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({said})"

    def cast(_: object, value: Any) -> Any:
        """See ``typing.cast``."""
        return value


# end of module
