"""What of Swift sources a program can reach, by names: so that a figure depends on no more than it can depend on.

Sources are cut into declarations: types by their heads, members one by one. From the files that a program begins in, a declaration is
reached when what is reached already names it: a type by its name, a function or a computed property by its name and that of its type.
Stored properties, cases, initialisers, subscripts and operators come with their type, and so does what the language calls without a name.
A name stands for all that are called so, so more is reached than is used, and never less: what is not understood counts as reached.
"""
import functools
import re

WORD = re.compile(rb"[A-Za-z_]\w*")
MODIFIERS = rb"(?:(?:@\w+(?:\([^)]*\))?|public|package|private|fileprivate|internal|open|static|mutating|nonmutating|override|final|convenience|required|lazy|weak|unowned|indirect|nonisolated|consuming|borrowing|prefix|postfix|infix|class)(?:\(\w+\))?\s+)*"
DECLARATION = re.compile(
    rb"^" + MODIFIERS + rb"(func|var|let|init|subscript|case|typealias|associatedtype|struct|class|enum|protocol|extension|actor|deinit)\b[?!]?"
    rb"\s*`?([\w.]*)")
TYPE = re.compile(
    rb"^\s*" + MODIFIERS + rb"(?:struct|class|enum|protocol|actor|typealias|associatedtype)\s+(\w+)", re.M)
TYPES = {b"struct", b"class", b"enum", b"protocol", b"extension", b"actor"}
# Called by the language or by the standard library, which are not searched.
UNNAMED = {name.encode() for name in (
    "description debugDescription hash next makeIterator callAsFunction wrappedValue projectedValue errorDescription startIndex endIndex "
    "index formIndex count underestimatedCount encode rawValue allCases id appendLiteral appendInterpolation advanced distance main "
    "localizedDescription customMirror").split()}


def without_comments(data):
    lines = (re.sub(rb"(^|\s)//.*$", b"", line).rstrip() for line in data.split(b"\n"))
    return [line for line in lines if line.strip()]


def starts(lines, depth):
    """The lines at a depth that begin something: not the end of what stands before, and with the attributes before them."""
    prefix, pending, found = b" " * depth, None, []
    for number, line in enumerate(lines):
        if not line.startswith(prefix) or line[depth:depth + 1] in (b" ", b"}", b")", b"]", b"."):
            continue
        if line.strip().startswith(b"@") and not DECLARATION.match(line.strip()):
            pending = number if pending is None else pending
            continue
        found.append(number if pending is None else pending)
        pending = None
    return found


def cut(lines, depth):
    """Pieces of text, each from where something begins to where the next begins."""
    places = starts(lines, depth)
    return [lines[:places[0]] if places else lines] + [
        lines[begin:end] for begin, end in zip(places, places[1:] + [len(lines)])]


def head(piece):
    """Kind and name of what a piece declares; None for anything else."""
    for line in piece:
        if match := DECLARATION.match(line.strip()):
            return match.group(1), match.group(2)
        if not line.strip().startswith(b"@"):
            return None
    return None


@functools.lru_cache(maxsize=None)
def declarations(data):
    """The declarations of a file: the names that reach each (none: always), and its text."""
    found = []

    def add(needed, piece):
        text = b"\n".join(piece)
        if text:
            found.append((frozenset(needed), text, frozenset(WORD.findall(text))))

    for piece in cut(without_comments(data), 0):
        what = head(piece)
        if not what:
            # An import alone uses nothing.
            add((), [line for line in piece if not re.match(rb"\s*(public |package |@\w+ )*import ", line)])
            continue
        kind, name = what
        if kind not in TYPES:
            add((name,) if name else (), piece)
            continue
        owner = name.split(b".")[-1]
        members = cut(piece, 2)
        add((owner,), members[0])
        for member in members[1:]:
            what = head(member)
            needed = {owner}
            if what:
                kind, name = what
                first = member[0].strip()
                isComputed = kind in (b"var", b"let") and (b"{" in first and b"=" not in first.split(b"{")[0]) \
                    and not any(b"didSet" in line or b"willSet" in line for line in member)
                if (kind in TYPES or kind in (b"func", b"typealias") or isComputed) and name and name not in UNNAMED:
                    needed.add(name)
            add(needed, member)
    return found


def reached(roots, files):
    """Of files, as texts by name, what the roots can reach: its declarations by the name of their file."""
    parts = [(name, *one) for name, data in files.items() if name not in roots for one in declarations(data)]
    # What no file declares as a type is of the standard library, and always there: its extensions are reached by their members.
    declared = {match.group(1) for data in files.values() for match in TYPE.finditer(data)}
    result = {name: [(0, b"\n".join(without_comments(data)))] for name, data in files.items() if name in roots}
    known = {word for found in result.values() for word in WORD.findall(found[0][1])}
    queue, missing, waiting = list(known), [], {}

    def take(place):
        name, _, text, words = parts[place]
        result.setdefault(name, []).append((place, text))
        queue.extend(words - known)
        known.update(words)

    for place, (_, needed, _, _) in enumerate(parts):
        needed = {word for word in needed if word in declared or not word[:1].isupper()}
        missing.append(len(needed))
        for word in needed:
            waiting.setdefault(word, []).append(place)
    for place, count in enumerate(missing):
        if count == 0:
            take(place)
    while queue:
        for place in waiting.get(queue.pop(), []):
            missing[place] -= 1
            if missing[place] == 0:
                take(place)
    return {name: [text for _, text in sorted(found)] for name, found in result.items()}


def code(text):
    """What of a declaration can change a figure that is no size: no texts between quotes, no access, no line breaks."""
    text = re.sub(rb'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"', b'""', text)
    text = re.sub(rb"\b(?:public|package|internal|fileprivate|private)(?:\(set\))?\s+", b"", text)
    return b" ".join(text.split())
