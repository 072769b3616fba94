"""How a reference inside a tileset or glTF becomes the URI that a TileSource reads."""

import posixpath
import re
from urllib.parse import SplitResult, unquote, urljoin, urlsplit, urlunsplit

from citysim.errors import FormatError

Pairs = list[tuple[str, str]]


def is_url(uri: str) -> bool:
    """Whether a URI is an absolute http(s) one."""
    return uri[:7].lower() == "http://" or uri[:8].lower() == "https://"


def join(base: str, reference: str) -> str:
    """Resolve a reference against the URI of the document that holds it.

    Web documents follow RFC 3986, and query parameters of the document (API keys, sessions) are handed on to what
    they reference on the same host unless the reference sets them itself. In folders the reference must stay below
    the tileset's folder; it is percent-decoded once (a plus sign stays a plus sign). `data:` references are returned
    as they are.
    Raises FormatError for references that leave the folder or use another scheme.
    """
    reference = reference.strip("\x00 \t\r\n")
    if reference.startswith("data:"):
        return reference
    parts = _split(reference)
    if is_url(base) or is_url(reference):
        joined = _split(urljoin(base, reference)) if is_url(base) else parts
        if joined.scheme not in ("http", "https") or not joined.netloc:
            raise _refused(reference)
        parent = _split(base)
        inherited = parent.query if parent.netloc == joined.netloc else ""  # keys are for the host they came with
        path = joined.path.replace("\\", "/")
        return urlunsplit(joined._replace(path=path, query=_merge(inherited, joined.query), fragment=""))
    path = unquote(parts.path).replace("\\", "/")
    if parts.scheme or parts.netloc or path.startswith("/") or "\x00" in path or not path:
        raise _refused(reference)
    joined_path = posixpath.normpath(posixpath.join(posixpath.dirname(base), path))
    if joined_path == ".." or joined_path.startswith("../"):
        raise _refused(reference)
    return joined_path


def extension(uri: str) -> str:
    """Lower-case file extension of a URI without its dot, "" where there is none."""
    path = _split(uri).path if is_url(uri) else uri
    return posixpath.splitext(path)[1][1:].lower()


def host(uri: str) -> str:
    """Host and port of a URL in lower case, "" where there is none; raises FormatError for what is no URI."""
    return _split(uri).netloc.rpartition("@")[2].lower()


def plain(uri: str) -> str:
    """A URI as it may be shown: without user, query (keys, sessions) and fragment."""
    if not is_url(uri):
        return uri
    parts = _split(uri)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))


def without_queries(text: str) -> str:
    """A message in which URLs have lost their queries: these may be keys."""
    return re.sub(r"(https?://[^\s'\"?#]*)\?[^\s'\"#]*", r"\1", text, flags=re.IGNORECASE)


def pairs(query: str) -> Pairs:
    """Names and values of a query as they are written (a stray `?` counts as `&`): signatures must stay as they are."""
    pieces = (piece.partition("=") for piece in query.replace("?", "&").split("&") if piece)
    return [(name, value) for name, _, value in pieces]


def with_query(uri: str, query: Pairs) -> str:
    """The same URL with another query."""
    return urlunsplit(_split(uri)._replace(query=_text(query)))


def query_of(uri: str) -> Pairs:
    """Names and values of a URL's query."""
    return pairs(_split(uri).query)


def _split(uri: str) -> SplitResult:
    try:
        return urlsplit(uri)
    except ValueError as error:
        raise FormatError("a URI of RFC 3986", f"'{uri[:80]}' ({error})", "exporting the tileset again") from None


def _merge(inherited: str, own: str) -> str:
    """Own query parameters, then the inherited ones that are not set there."""
    mine = pairs(own)
    names = {name for name, _ in mine}
    more = [(name, value) for name, value in pairs(inherited) if name not in names]
    return _text(mine + more) if more or "?" in own else own


def _text(query: Pairs) -> str:
    return "&".join(f"{name}={value}" for name, value in query)


def _refused(reference: str) -> FormatError:
    return FormatError(
        "references to files below the tileset's own folder",
        f"'{reference[:120]}'",
        "importing from the folder that holds all of the tileset's files",
    )
