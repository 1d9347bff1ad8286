"""Reads many addresses at once: the slot of each folder, and the language that an address names after its host."""

from opilio.model.compiling import njit
from opilio.model.kernels.terms import more

_SLASH, _DOT, _DASH, _LINE, _EQUALS, _AND = 47, 46, 45, 95, 61, 38
_A, _LETTERS = 97, 26
_CASE_BIT = 32  # the bit that sets small letters apart from capitals
_AFTER_SCHEME = 8  # bytes of "https://", or of "http://" and the first letter of the host
_ENDING = (3, 5)  # letters, at least and at most


@njit(cache=True)
def read(data, ends, codes, checksums, size, found):
    """`data` has the bytes of all addresses, `codes` has the number of the language for each pair of letters, or 0. `found` has
    a line for each address: its first column holds -1 if a language is known already, and receives the folder's slot; its
    third column receives the number of the language that the address names, if it names one."""
    start = 0
    for at in range(len(ends)):
        end, known = ends[at], found[at, 0] < 0
        found[at, 0] = _checksum(data, start, _last_slash(data, start, end), checksums) & (size - 1)
        path = start + _AFTER_SCHEME
        while path < end and data[path] != _SLASH:
            path += 1
        named = 0 if known else (_before_ending(data, path, end, codes) or _first(data, path, end, codes))
        if named:
            found[at, 2] = named
        start = end


@njit(cache=True)
def _checksum(data, start, end, table):
    found = 0xFFFFFFFF
    for at in range(start, end):
        found = more(found, data[at], table)
    return found ^ 0xFFFFFFFF


@njit(cache=True)
def _last_slash(data, start, end):
    for at in range(end - 1, start, -1):
        if data[at] == _SLASH:
            return at
    return start


@njit(cache=True)
def _letter(byte):
    """Returns 0 for a or A, and so on, or a number beyond that of z for any other byte."""
    small = (byte | _CASE_BIT) - _A
    return small if 0 <= small < _LETTERS else _LETTERS


@njit(cache=True)
def _code(data, at, codes):
    first, second = _letter(data[at]), _letter(data[at + 1])
    return codes[_LETTERS * first + second] if first < _LETTERS and second < _LETTERS else 0


@njit(cache=True)
def _first(data, path, end, codes):
    """Returns the language of the first code that stands alone, as in /de/, .de. and ?lang=de, or 0."""
    for at in range(path, end - 2):
        byte = data[at]
        if byte in (_SLASH, _DOT, _DASH, _LINE, _EQUALS):
            after = data[at + 3] if at + 3 < end else _SLASH
            if after in (_SLASH, _DOT, _DASH, _LINE, _AND):
                named = _code(data, at + 1, codes)
                if named:
                    return named
    return 0


@njit(cache=True)
def _before_ending(data, path, end, codes):
    """Returns the language of a code between dots before the ending of a file, as in index.de.html, or 0."""
    at = end - 1
    while at > path and _letter(data[at]) < _LETTERS:
        at -= 1
    letters = end - 1 - at
    if letters < _ENDING[0] or letters > _ENDING[1] or at - 3 < path or data[at] != _DOT or data[at - 3] != _DOT:
        return 0
    return _code(data, at - 2, codes)
