"""Writes the bill of materials as SPDX 2.3: sbom.py OUTPUT PROGRAM…

The programs are looked at for the shared libraries they need. The time of the document is SOURCE_DATE_EPOCH where that is
set, so that a build can be repeated.
"""

import hashlib
import json
import os
import re
import sys
import time
from pathlib import Path

from components import Component, Missing, compiled_components, linked_components, npm_components, project_version

RELATION = {"bundled": "CONTAINS", "compiled": "CONTAINS", "linked": "DYNAMIC_LINK"}


def identifier(component: Component) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", f"{component.how}-{component.name}")


def package(component: Component) -> dict:
    return {
        "SPDXID": identifier(component),
        "name": component.name,
        "versionInfo": component.version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": component.license,
        "copyrightText": "NOASSERTION",
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": component.purl}
        ],
    }


def document(components: list, seconds: float) -> dict:
    version = project_version()
    ours = {
        "SPDXID": "SPDXRef-ampere",
        "name": "ampere",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "Copyright the authors of ampere",
        "primaryPackagePurpose": "APPLICATION",
    }
    packages = [ours] + [package(component) for component in components]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-ampere")]
    relations += [("SPDXRef-ampere", RELATION[each.how], identifier(each)) for each in components]
    # The namespace is another one whenever the content is.
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"ampere-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/ampere-{version}-{digest[:32]}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)),
            "creators": [f"Tool: ampere-sbom-{version}"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": left, "relationshipType": relation, "relatedSpdxElement": right}
            for left, relation, right in relations
        ],
    }


def main() -> int:
    output, programs = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    try:
        components = npm_components() + compiled_components() + linked_components(programs)
    except Missing as missing:
        print(f"sbom: {missing}", file=sys.stderr)
        return 1
    seconds = float(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    output.write_text(json.dumps(document(components, seconds), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
