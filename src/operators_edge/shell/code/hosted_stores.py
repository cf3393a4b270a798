"""Services that keep indices, files, contents and rows for others, by the calls of their clients that delete.

Owns the rows, for all languages, and which call in code of Node, Ruby or PHP is one of them. Does not own
reading the code (``shell.code.twins``), nor Python's clients (``shell.code.python.stores``). Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.vendors import imported
from operators_edge.text.patterns import compiled, found_in, pattern
from operators_edge.tuples import NamedTuple


class Hosted(NamedTuple):
    """How code names a client, the host that it is for, and which calls of it delete.

    ``calls`` do by their names alone; ``plain`` ones have to be of something that the client gave. Both are
    patterns of names in small letters, ``deleteAll`` as ``delete_all``. ``libraries`` are Python's. One that
    ``runs_anywhere`` may be on this machine: its address says so, or, if that is not known, that it is given
    no key.
    """

    words: str
    libraries: str
    host: str
    calls: str = ""
    plain: str = "delete"
    runs_anywhere: bool = False

    @property
    def methods(self) -> str:
        return "|".join((*self.calls.split(), *self.plain.split())) or "(?!)"


def _anywhere(
    words: str, libraries: str, host: str, calls: str = "", plain: str = "delete"
) -> Hosted:
    return Hosted(words, libraries, host, calls, plain, runs_anywhere=True)


HOSTED = (
    _anywhere(
        "qdrant", "qdrant_client", "cloud.qdrant.io", r"delete_collection delete_\w*snapshot"
    ),
    Hosted(
        "pinecone",
        "pinecone",
        "api.pinecone.io",
        "delete_index delete_collection delete_namespace delete_all delete_many delete_one",
    ),
    _anywhere(
        "weaviate",
        "weaviate",
        "weaviate.cloud",
        "delete_all delete_class delete_many class_deleter",
    ),
    _anywhere(
        "milvus|zilliz",
        "pymilvus",
        "api.cloud.zilliz.com",
        "drop_collection drop_partition drop_database drop_index delete_entities",
        "drop delete",
    ),
    _anywhere(
        "chromadb",
        "chromadb",
        "api.trychroma.com",
        r"delete_(?:collection|database|tenant)",
        "reset",
    ),
    Hosted("turbopuffer", "turbopuffer", "api.turbopuffer.com", "delete_all"),
    Hosted(
        "algolia",
        "algoliasearch",
        "algolia.net",
        r"clear_(?:objects|rules|synonyms|index) delete_(?:index|objects?|by\w*|api_key)",
        "delete clear",
    ),
    _anywhere("typesense", "typesense", "typesense.net"),
    _anywhere(
        "meili",
        "meilisearch",
        "cloud.meilisearch.com",
        r"delete_index\w* delete_(?:all_)?documents\w*",
    ),
    _anywhere("elasticsearch|opensearch", "", "es.amazonaws.com", "delete_by_query delete_index"),
    Hosted(
        "cloudinary",
        "cloudinary",
        "api.cloudinary.com",
        r"delete_\w*resources\w* delete_folder",
        "destroy delete",
    ),
    Hosted(
        "imagekit",
        "imagekitio",
        "api.imagekit.io",
        r"delete_file delete_folder bulk_delete_files bulk_file_delete purge\w*cache",
    ),
    Hosted("uploadthing", "", "api.uploadthing.com", "delete_files"),
    Hosted("mux", "mux_python", "api.mux.com", "delete_asset delete_live_stream"),
    Hosted(
        "contentful-management",
        "contentful_management",
        "api.contentful.com",
        plain="delete unpublish",
    ),
    Hosted("sanity", "", "api.sanity.io"),
    Hosted("storyblok", "", "api.storyblok.com"),
    _anywhere("directus", "", "directus.app", "delete_(?:items?|collection|files?|users?|fields?)"),
    _anywhere(
        "appwrite",
        "appwrite",
        "cloud.appwrite.io",
        "delete_(?:documents?|collection|bucket|file|users?|table|rows?|team)",
    ),
    _anywhere("supabase", "supabase", "supabase.co", "empty_bucket delete_bucket delete_user"),
    Hosted(
        "upstash/vector|upstash_vector|upstash/search|upstash-vector",
        "upstash_vector",
        "upstash.io",
        "delete_namespace delete_index",
        "reset delete",
    ),
    Hosted("upstash/redis|vercel/kv", "upstash_redis", "upstash.io", "flush_?(?:all|db)", "(?!)"),
    Hosted("vercel/blob", "vercel_blob", "blob.vercel-storage.com", plain="del delete"),
    Hosted("airtable", "pyairtable", "api.airtable.com", "batch_delete", "destroy delete"),
    Hosted("notionhq|notion-client|notion_client", "notion_client", "api.notion.com"),
    Hosted("linear/sdk", "", "api.linear.app", r"delete_\w+"),
    _anywhere("livekit-server", "livekit", "livekit.cloud", "delete_room delete_ingress"),
    Hosted("liveblocks", "", "api.liveblocks.io", "delete_(?:room|thread|comment)"),
    Hosted(
        "launchdarkly",
        "launchdarkly_api",
        "app.launchdarkly.com",
        r"delete_\w*(?:flag|project|environment|segment)\w*",
    ),
    Hosted(
        "getstream|stream-chat",
        "stream_chat",
        "stream-io-api.com",
        "delete_(?:users?|channels?) truncate",
    ),
    Hosted("bunny\\.net|bunnynet", "", "storage.bunnycdn.com", plain="remove delete"),
    Hosted(
        "azure/storage-blob|azure/cosmos|azure/data-tables",
        "",
        "core.windows.net",
        "delete_(?:container|if_exists|blobs?|table|entity)",
    ),
    Hosted(
        "backblaze-b2",
        "b2sdk",
        "api.backblazeb2.com",
        "delete_file_version delete_bucket hide_file",
    ),
    _anywhere("minio", "", "play.min.io", "remove_objects? remove_bucket", "(?!)"),
)
LIBRARIES = {name: one for one in HOSTED for name in one.libraries.split()}
KEYS = pattern(r"(?i)\w*(?:api_?key|_key|token|secret|password|passwd|credentials?|auth\w*)")
"""Names of what a client of a server elsewhere is given."""
CLOUD = pattern(r"(?i)connect_?to_?(?:weaviate_?cloud|wcs|wvc)|cloud_?client")
"""Calls that make a client of a server elsewhere, whatever they are given."""
_CALLS = pattern("|".join(f"(?:{one.methods})" for one in HOSTED))
_WORD = pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_LOCAL = pattern(r"\b(?:connectToLocal|connectToEmbedded|EphemeralClient|PersistentClient)\b")
_NAMED = pattern(
    r"(?i)\b(?:url|uri|host|hostname|endpoint|endPoint|address|node|nodes|basePath|server|path(?=\W{1,5}https?:))['\"]?\s*(?::|=>|=)\s*"
    r"[\[{\s]*(?:host['\"]?\s*:\s*)?(?:process\.env\.\w+\s*(?:\|\||\?\?)\s*)?['\"`]([^'\"`\s]+)['\"`]"
    r"|\b(?:createClient|\w*Client|setEndpoint|MilvusClient|createDirectus)\(\s*['\"`]([^'\"`\s]+)['\"`]"
)
"""Where code says which server a client is of."""
_ASSIGNED = (
    r"\$?(\w+)\s*\}?\s*=\s*(?:await\s+)?(?:new\s+)?\(?(?:await\s+)?\$?(?:[@\w./-]*[/-])?(?:%s)\b"
)
_ROUNDS = 3


def host_of(name: str, last: str, code: str, *, is_member: bool) -> str:
    """The host of which a call deletes something; "" for any other call."""
    method = _WORD.sub("_", last).lower()
    if _CALLS.fullmatch(method) is None:
        return ""
    for one in _clients_in(code):
        is_known = any(re.fullmatch(each, method) for each in one.calls.split())
        is_own = is_member or is_known or _is_of(name, one, code)
        if (
            is_own
            and re.fullmatch(one.methods, method)
            and not (one.runs_anywhere and _is_here(code))
        ):
            return one.host
    return ""


@lru_cache(maxsize=16)
def _clients_in(code: str) -> tuple[Hosted, ...]:
    lower = code.lower()
    return tuple(
        one
        for one in HOSTED
        if any(word in lower for word in one.words.replace("\\", "").split("|"))
        and found_in(imported(one.words), code)
    )


def _is_of(name: str, one: Hosted, code: str) -> bool:
    """Whether a call is one of a client's, or of what a client gives."""
    first = re.split(r"[.:>]+", name.lstrip("$@"))[0].lstrip("$@-")
    return first in _names_of(one.words, code)


@lru_cache(maxsize=16)
def _names_of(words: str, code: str) -> frozenset[str]:
    """The names that code gives to a client, and to what comes from it."""
    taken = compiled(
        rf"(?i:\bimport\s+([^;'\"]*?)\s*from\s*['\"][^'\"]*(?:{words})"
        rf"|\b(?:const|let|var)\s*([^;=]*?)\s*=\s*require\(\s*['\"][^'\"]*(?:{words}))"
    )
    known = {
        word
        for found in taken.findall(code)
        for word in re.findall(r"\w+", " ".join(found))
        if word not in ("as", "default", "type", "import")
    }
    known |= set(re.findall(rf"(?i)\b\w*(?:{words})\w*\b", code))
    for _ in range(_ROUNDS):
        names = "|".join(sorted(map(re.escape, known)))
        known |= set(re.findall(_ASSIGNED % names, code)) if names else set()
    return frozenset(known)


def _is_here(code: str) -> bool:
    """Whether all servers that code names are this machine, or it names none and has no key for one."""
    if CLOUD.search(code):
        return False
    servers = [one or other for one, other in _NAMED.findall(code)]
    if servers:
        return not any(is_elsewhere(one, "host") for one in servers)
    return _LOCAL.search(code) is not None or not any(
        KEYS.fullmatch(one) for one in re.findall(r"(\w+)['\"]?\s*(?::|=>|=|,|\))", code)
    )


# end of module
