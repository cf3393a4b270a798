"""Programs that code of Node has from another machine and starts, by the address that it names.

``https.get(url, (res) => res.pipe(fs.createWriteStream(file)))`` and then ``execFileSync(file)``. Owns
the calls that fetch, write and start. What is compared with a checksum first is known to who wrote that
down. Pure. Does not own code that R and Julia fetch (``shell.code.fetched_code``).
"""

from __future__ import annotations

import re

from operators_edge.shell.code.addresses import host_of, is_here
from operators_edge.shell.code.comments import JAVASCRIPT, without_comments
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

FETCHES = pattern(
    r"\bhttps?\.(?:get|request)\(|(?<![\w.])fetch\(|\b(?:axios|got|ky|superagent|undici|phin)\b\.?\w*\(|\bdownload\w*\("
    r"|['\"](?:curl|wget)\b"
)
_ADDRESS = pattern(r"https?://[\w.-]+[^\s'\"`${}()<>]*")
_WRITTEN = pattern(
    r"\b(?:createWriteStream|writeFile(?:Sync)?|outputFile(?:Sync)?|Bun\.write)\(\s*(?P<file>[A-Za-z_$][\w.$]*)\s*(?P<rest>[^\n]*)"
)
_STREAMS = pattern(
    r"(?i)res(?:p(?:onse)?)?\b|\bdata\b|\bbody\b|buf|bytes|bin|blob|chunks|download|\bcontents?\b|arrayBuffer"
)
_STARTED = (
    r"\b(?:execFile|spawn|execa|fork)(?:Sync)?\(\s*(?:(?:['\"`](?:/bin/)?(?:ba|z)?sh['\"`]|['\"](?:node|python3?)['\"]|process\.execPath)"
    r"\s*,\s*\[\s*)?(?:path\.resolve\(\s*)?{0}\s*[,)\]]|\bexec(?:Sync)?\(\s*(?:{0}\s*[,)+]|`\s*['\"]?\$\{{\s*(?:JSON\.stringify\()?{0}\b)"
)
_CHECKED = pattern(r"\bcreateHash\(|\bintegrity\b|\bsha(?:256|512)\b|\bverify\w*\(")
_COMPARED = pattern(r"[!=]==?\s*\w|\btimingSafeEqual\(|\bequals?\(")


def fetched(code: str) -> str:
    """Return the address of a program that code fetches and starts; "" if it starts none."""
    code = without_comments(code, JAVASCRIPT)
    if not FETCHES.search(code) or (_CHECKED.search(code) and _COMPARED.search(code)):
        return ""
    for one in _WRITTEN.finditer(code):
        is_stream = "createWriteStream" in one[0] or _STREAMS.search(one["rest"])
        if is_stream and re.search(_STARTED.format(re.escape(one["file"])), code):
            found = _ADDRESS.findall(code)
            others = [each for each in found if not is_here(host_of(each))]
            return others[0] if others else "" if found else HOLE
    return ""


# end of module
