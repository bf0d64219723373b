"""Writes the licences of everything that is bundled or compiled in: notices.py OUTPUT"""

import sys
from pathlib import Path

from components import Missing, compiled_components, npm_components


def main() -> int:
    parts = [
        "ampere contains the following software of others, each under the licence below its name.\n"
        "Debian's copyright files, quoted here, also list files that are not used.\n"
    ]
    try:
        for component in npm_components() + compiled_components():
            head = f"{component.name} {component.version} ({component.license})"
            parts.append(f"{'=' * 100}\n{head}\n{'=' * 100}\n\n{component.text.strip()}\n")
    except Missing as missing:
        print(f"notices: {missing}", file=sys.stderr)
        return 1
    Path(sys.argv[1]).write_text("\n".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
