"""The bill of materials has what SPDX 2.3 requires, and lists what is really in the programs: check_sbom.py FILE"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages", "relationships")
PACKAGE = ("SPDXID", "name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText")
RELATIONS = {"DESCRIBES", "CONTAINS", "DYNAMIC_LINK"}


def faults(sbom):
    for key in DOCUMENT:
        if not sbom.get(key):
            yield f"{key} is missing"
    if sbom["spdxVersion"] != "SPDX-2.3" or sbom["dataLicense"] != "CC0-1.0" or sbom["SPDXID"] != "SPDXRef-DOCUMENT":
        yield "the head is not that of SPDX 2.3"
    if not re.fullmatch(r"https://\S+", sbom["documentNamespace"]) or "#" in sbom["documentNamespace"]:
        yield f"documentNamespace is no URI without fragment: {sbom['documentNamespace']}"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", sbom["creationInfo"].get("created", "")):
        yield "creationInfo.created is no time"
    creators = sbom["creationInfo"].get("creators", [])
    if not creators or not all(re.match(r"(Tool|Person|Organization): \S", creator) for creator in creators):
        yield "creationInfo.creators is wrong"
    identifiers = [package.get("SPDXID", "") for package in sbom["packages"]]
    if len(set(identifiers)) != len(identifiers):
        yield "two packages have one SPDXID"
    for package in sbom["packages"]:
        for key in PACKAGE:
            if not package.get(key):
                yield f"{package.get('name')}: {key} is missing"
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package.get("SPDXID", "")):
            yield f"{package.get('name')}: SPDXID {package.get('SPDXID')!r} has characters it must not have"
        for reference in package.get("externalRefs", []):
            if not re.fullmatch(r"pkg:(npm|deb/debian)/\S+@\S+", reference["referenceLocator"]):
                yield f"{package['name']}: {reference['referenceLocator']} is no package URL"
    known = set(identifiers) | {"SPDXRef-DOCUMENT"}
    for relation in sbom["relationships"]:
        if relation["relationshipType"] not in RELATIONS or not {
            relation["spdxElementId"], relation["relatedSpdxElement"]
        } <= known:
            yield f"a relation of nothing: {relation}"
    related = {relation["relatedSpdxElement"] for relation in sbom["relationships"]}
    for identifier in set(identifiers) - related:
        yield f"{identifier} is related to nothing"
    versions = {package["name"]: package["versionInfo"] for package in sbom["packages"]}
    project = re.search(r"project\(ampere VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    if versions.get("ampere") != project:
        yield f"ampere is {versions.get('ampere')}, not {project}"
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    if versions.get("echarts") != lock["node_modules/echarts"]["version"]:
        yield "echarts has another version than web/package-lock.json"
    for name in ("libsqlite3-0", "libfmt9", "libstdc++6", "libpq5", "coinor-libclp1", "CLI11", "Eigen"):
        if name not in versions:
            yield f"{name} is not listed"


def main():
    found = list(faults(json.loads(Path(sys.argv[1]).read_text())))
    sys.exit("\n".join(found) if found else 0)


main()
