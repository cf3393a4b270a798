"""The process table of Windows, from its system library; imported only on Windows.

Structures and constants: Microsoft's ``tlhelp32.h`` and ``processthreadsapi.h``.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import wintypes

_SNAP_PROCESSES = 0x2
_QUERY_LIMITED = 0x1000
_STILL_ACTIVE = 259
_NO_HANDLE = ctypes.c_void_p(-1).value


class _Entry(ctypes.Structure):
    _fields_ = (
        ("size", wintypes.DWORD),
        ("usage", wintypes.DWORD),
        ("pid", wintypes.DWORD),
        ("heap", ctypes.c_size_t),
        ("module", wintypes.DWORD),
        ("threads", wintypes.DWORD),
        ("parent", wintypes.DWORD),
        ("priority", wintypes.LONG),
        ("flags", wintypes.DWORD),
        ("name", wintypes.WCHAR * 260),
    )


def _library() -> ctypes.CDLL:
    if sys.platform != "win32":
        raise OSError("this is not Windows")
    library = ctypes.WinDLL("kernel32", use_last_error=True)
    library.CreateToolhelp32Snapshot.restype = wintypes.HANDLE
    library.OpenProcess.restype = wintypes.HANDLE
    for name in ("Process32FirstW", "Process32NextW"):
        getattr(library, name).argtypes = (wintypes.HANDLE, ctypes.POINTER(_Entry))
    library.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
    library.CloseHandle.argtypes = (wintypes.HANDLE,)
    library.GetExitCodeProcess.argtypes = (wintypes.HANDLE, ctypes.POINTER(wintypes.DWORD))
    times = ctypes.POINTER(wintypes.FILETIME)
    library.GetProcessTimes.argtypes = (wintypes.HANDLE, times, times, times, times)
    return library


def parents() -> dict[int, int]:
    """The parent of every process; empty if the system refuses."""
    library = _library()
    handle = library.CreateToolhelp32Snapshot(_SNAP_PROCESSES, 0)
    if not handle or handle == _NO_HANDLE:
        return {}
    table: dict[int, int] = {}
    entry = _Entry()
    entry.size = ctypes.sizeof(_Entry)
    try:
        more = library.Process32FirstW(handle, ctypes.byref(entry))
        while more:
            table[entry.pid] = entry.parent
            more = library.Process32NextW(handle, ctypes.byref(entry))
    finally:
        library.CloseHandle(handle)
    return table


def start_of(pid: int) -> int | None:
    """The start in units of 100 ns since 1601; None if it has exited or cannot be inspected."""
    library = _library()
    handle = library.OpenProcess(_QUERY_LIMITED, False, pid)
    if not handle:
        return None
    try:
        code = wintypes.DWORD()
        if library.GetExitCodeProcess(handle, ctypes.byref(code)) and code.value != _STILL_ACTIVE:
            return None
        created, ended, kernel, user = (wintypes.FILETIME() for _ in range(4))
        pointers = (ctypes.byref(each) for each in (created, ended, kernel, user))
        if not library.GetProcessTimes(handle, *pointers):
            return None
        return int(created.dwHighDateTime) << 32 | int(created.dwLowDateTime)
    finally:
        library.CloseHandle(handle)


# end of module
