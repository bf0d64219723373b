#!/usr/bin/env python3
"""Checks the Markdown pages of the source tree: check_pages.py ROOT links|readme|tables|headers

links   every relative link leads to a file or folder that exists, and every anchor to a heading
readme  README.md has at most 150 lines
tables  no table has more than seven columns
headers ampere.h includes every public header, docs/library.md lists each one, and they stay few
Prints one line per problem and exits with 1 if there is any. Needs nothing but Python itself.
"""
import pathlib
import re
import sys

LONGEST_README = 150
WIDEST_TABLE = 7
MOST_HEADERS = 24  # programs are a noun of their own beside models, and so are decisions


def pages(root):
    """All pages that belong to the project, not those of build folders or installed packages."""
    skipped = ("build", "node_modules", ".")
    return sorted(
        path for path in root.rglob("*.md")
        if not any(part.startswith(skipped) for part in path.relative_to(root).parts[:-1]))


def numbered_prose(path):
    """(line number, text) outside of fenced code blocks."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(path):
    """The anchors that GitHub gives to the headings of a page."""
    found = set()
    for _, line in numbered_prose(path):
        heading = re.match(r"#{1,6} +(.*)", line)
        if heading:
            text = re.sub(r"[^\w\- ]", "", heading.group(1).strip().lower())
            slug = text.replace(" ", "-")
            repeats = sum(1 for other in found if re.fullmatch(re.escape(slug) + r"(-\d+)?", other))
            found.add(f"{slug}-{repeats}" if repeats else slug)
    return found


def broken_links(root):
    for page in pages(root):
        for number, line in numbered_prose(page):
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = (page.parent / name).resolve() if name else page
                where = f"{page.relative_to(root)}:{number}: {target}"
                if not file.exists():
                    yield f"{where}: there is no such file"
                elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                    yield f"{where}: that page has no such heading"


def long_readme(root):
    lines = len((root / "README.md").read_text(encoding="utf-8").splitlines())
    if lines > LONGEST_README:
        yield f"README.md: {lines} lines, at most {LONGEST_README} are allowed; move some to docs/"


def wide_tables(root):
    for page in pages(root):
        for number, line in numbered_prose(page):
            if re.fullmatch(r"\|( *:?-+:? *\|)+ *", line):
                columns = line.count("|") - 1
                if columns > WIDEST_TABLE:
                    yield f"{page.relative_to(root)}:{number}: {columns} columns, at most {WIDEST_TABLE} are allowed"


def unlisted_headers(root):
    folder = root / "include" / "ampere"
    headers = sorted(path.name for path in folder.glob("*.h") if path.name != "ampere.h")
    umbrella = (folder / "ampere.h").read_text(encoding="utf-8")
    page = (root / "docs" / "library.md").read_text(encoding="utf-8")
    for header in headers:
        if f'#include "ampere/{header}"' not in umbrella:
            yield f"include/ampere/ampere.h does not include {header}"
        if f"| `{header}` |" not in page:
            yield f"docs/library.md does not list {header}"
    for header in re.findall(r"^\| `(\w+\.h)` \|", page, re.MULTILINE):
        if header not in headers:
            yield f"docs/library.md lists {header}, which is not there"
    if len(headers) > MOST_HEADERS:
        yield f"include/ampere: {len(headers)} headers, at most {MOST_HEADERS} are allowed; merge those of one idea"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    check = {"links": broken_links, "readme": long_readme, "tables": wide_tables,
             "headers": unlisted_headers}[sys.argv[2]]
    problems = list(check(root))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
