"""Finds the modules that an incremental build of Swift would wrongly leave as they are.

If a type gets another stored property, Swift compiles the files that name the type. It leaves out
those that use only a type around it. These would read and write memory at the old places."""

import re
from collections import defaultdict
from pathlib import Path

IMPORT = re.compile(r"^\s*(?:@\w+(?:\(\w+\))?\s+|[a-z]+\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)", re.M)
TYPE = re.compile(r"^(?:\S+\s+)*?(?:struct|class|enum|actor)\s+(?!func\b|var\b|let\b|subscript\b)(\w+)")
MEMBER = re.compile(r"^(?:[@\w().]+\s+)*?(?:var|let|case)\s")
COMPUTED = re.compile(r"^[^={]*\{(?!\s*(?:did|will)Set)")
ALIAS = re.compile(r"^(?:\w+\s+)*typealias\s+(\w+)")


def members(text):
    """Returns the lines that determine the size of each type: stored properties, cases and names of
    other types. It reads the indentation, so the text must be formatted."""
    found = defaultdict(list)
    around = []  # of each line around this one: its indentation, whether it goes on, and its type
    lines = [line for line in text.splitlines() if line.strip()]
    for line, next_line in zip(lines, [*lines[1:], ""]):
        code = line.strip()
        if code.startswith(("//", "#", "{", "}", ")", "]")):
            continue
        indentation = len(line) - len(line.lstrip())
        while around and around[-1][0] >= indentation:
            around.pop()
        is_in_type, goes_on = (around[-1][2] is not None, around[-1][1]) if around else (False, False)
        type_name = ".".join(name for _, _, name in around if name)
        begun = TYPE.match(code)
        is_member = goes_on
        if alias := ALIAS.match(code):
            found[f"typealias {alias[1]}"].append(code)
        elif is_in_type and not begun and MEMBER.match(code) and "static" not in code.split():
            is_member = not COMPUTED.match(code) or next_line.strip().startswith(("didSet", "willSet"))
        if is_member:
            found[type_name].append(code)
        around.append((indentation, is_member and code.endswith(("(", "[", ":", ",")), begun[1] if begun else None))
    return found


def module(path):
    """Returns the name of the module of a file."""
    folders = Path(path).parts[:-1]
    return (folders[2:3] if folders[1:2] == ("Compatibility",) else folders[1:2] or ("",))[0]


def changed_modules(old, new):
    """Returns the modules of which a type has other members. `old` and `new` have the texts of the
    files that differ, by path."""
    before, after = _members_by_type(old), _members_by_type(new)
    return {key[0] for key in before.keys() & after.keys() if before[key] != after[key]}


def _members_by_type(texts):
    found = defaultdict(list)
    for path, text in sorted(texts.items()):
        for name, lines in members(text).items():
            found[module(path), name] += lines
    return {key: sorted(lines) for key, lines in found.items()}


def with_dependents(modules, texts):
    """Returns the modules, and those that import one of them, also through others. `texts` has the
    texts of all files by path."""
    importers = defaultdict(set)
    for path, text in texts.items():
        for name in IMPORT.findall(text):
            importers[name].add(module(path))
    found, new = set(), set(modules)
    while new:
        found |= new
        new = set().union(*(importers[name] for name in new)) - found
    return found
