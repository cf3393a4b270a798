"""``NamedTuple`` and ``cast`` as in ``typing``, which costs a fifth of the interpreter's start to import.

A hook defines dozens of named tuples each time it runs, and makes few: one of these costs a tenth to define.
To a type checker both are the originals.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType
    from typing import (
        Any,
        NamedTuple as NamedTuple,  # noqa: PLC0414 - exported
        Self,
        cast as cast,  # noqa: PLC0414 - as above
    )
else:
    from _collections import _tuplegetter  # what collections.namedtuple makes its fields of

    _MAKES = {"_new": tuple.__new__}
    _makers: dict[int, CodeType] = {}

    def _maker(name: str, fields: tuple[str, ...], defaults: tuple[Any, ...]) -> Any:
        """A ``__new__`` with the fields as its parameters.

        It is compiled once for each number of fields: to give the code other names costs a hundredth of that.
        """
        code = _makers.get(len(fields))
        if code is None:
            listed = "".join(f"_{at}," for at in range(len(fields)))
            text = f"lambda _cls, {listed}: _new(_cls, ({listed}))"
            code = _makers[len(fields)] = eval(text, _MAKES).__code__  # noqa: S307 - made of a number
        code = code.replace(co_varnames=("_cls", *fields))
        made = type(_maker)(code, _MAKES, "__new__", defaults)
        made.__qualname__ = f"{name}.__new__"
        return made

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
            about = {field: _tuplegetter(at, "") for at, field in enumerate(fields)}
            about |= {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            about["__new__"] = _maker(name, fields, rest)
            return super().__new__(cls, name, bases, {"__slots__": (), **space, **about})

    class NamedTuple(tuple, metaclass=_Kind):
        """See ``typing.NamedTuple``."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012 - of a class, as in the original

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            return cls(*values)

        def _replace(self, **named: Any) -> Self:
            values = [*map(named.pop, self._fields, self)]
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
