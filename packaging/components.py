"""What ampere consists of besides its own code: what is bundled, and what is linked.

Everything else here is looked up on the machine that builds: versions of npm packages in web/package-lock.json, versions
of Debian packages in dpkg, shared libraries in the programs themselves.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Component:
    name: str
    version: str
    license: str  # an SPDX expression, or NOASSERTION
    purl: str
    how: str  # "bundled" (in the pages), "compiled" (headers, static libraries) or "linked" (shared libraries)
    text: str  # the licence in full; "" for what is linked


# Bundled into the pages by esbuild; the other packages of web/package-lock.json only build or test.
NPM = {"echarts": "Apache-2.0", "zrender": "BSD-3-Clause", "tslib": "0BSD"}

# Headers and static libraries that become part of the programs.
COMPILED = {
    "libcli11-dev": ("CLI11", "BSD-3-Clause"),
    "nlohmann-json3-dev": ("JSON for Modern C++", "MIT"),
    "libeigen3-dev": ("Eigen", "MPL-2.0"),
    "libboost1.81-dev": ("Boost", "BSL-1.0"),
    "libc++-14-dev-wasm32": ("libc++ for WebAssembly", "Apache-2.0 WITH LLVM-exception"),
    "libclang-rt-14-dev-wasm32": ("compiler-rt for WebAssembly", "Apache-2.0 WITH LLVM-exception"),
    "wasi-libc": ("wasi-libc", "Apache-2.0 WITH LLVM-exception AND MIT AND BSD-2-Clause AND CC0-1.0"),
}


class Missing(Exception):
    """Something that is part of the programs cannot be named with its version."""


def project_version() -> str:
    found = re.search(r"project\(ampere VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    if not found:
        raise Missing("CMakeLists.txt: there is no project(ampere VERSION …)")
    return found.group(1)


def dpkg_version(package: str) -> str:
    asked = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}\n", package], capture_output=True, text=True, check=False
    )
    if asked.returncode != 0 or not asked.stdout.strip():
        raise Missing(f"dpkg knows no installed package {package}, which is compiled in; install it")
    return asked.stdout.splitlines()[0]


def npm_components() -> list[Component]:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    found = []
    for name, license_id in NPM.items():
        entry = lock.get(f"node_modules/{name}")
        if entry is None:
            raise Missing(f"web/package-lock.json has no {name}, which is bundled; correct packaging/components.py")
        if entry.get("license") != license_id:
            raise Missing(f"web/package-lock.json: {name} is under {entry.get('license')}, not {license_id}")
        folder = ROOT / "web" / "node_modules" / name
        texts = [path for part in ("LICENSE*", "NOTICE*", "licenses/*") for path in sorted(folder.glob(part))]
        if not texts:
            raise Missing(f"{folder} has no licence; build the pages first")
        text = "\n\n".join(path.read_text() for path in texts)
        found.append(Component(name, entry["version"], license_id, f"pkg:npm/{name}@{entry['version']}", "bundled", text))
    unknown = {
        path.removeprefix("node_modules/")
        for path, entry in lock.items()
        if path and not entry.get("dev") and not entry.get("optional")
    } - set(NPM)
    if unknown:
        raise Missing(f"web/package-lock.json has {', '.join(sorted(unknown))}, which packaging/components.py does not list")
    return found


def compiled_components() -> list[Component]:
    found = []
    for package, (name, license_id) in COMPILED.items():
        version = dpkg_version(package)
        text = Path(f"/usr/share/doc/{package}/copyright").read_text()
        found.append(Component(name, version, license_id, f"pkg:deb/debian/{package}@{version}", "compiled", text))
    return found


def needed_libraries(program: Path) -> list[str]:
    headers = subprocess.run(["objdump", "-p", str(program)], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^\s+NEEDED\s+(\S+)$", headers, re.MULTILINE)


def packages_of_libraries(libraries: set[str], architecture: str) -> set[str]:
    """The installed packages that have these libraries, looked up in one go: each lookup reads all of dpkg's lists."""
    patterns = [f"*/{library}" for library in sorted(libraries)]
    asked = subprocess.run(["dpkg", "-S", *patterns], capture_output=True, text=True, check=False)
    owners: dict[str, str] = {}
    # "libfmt9:amd64: /usr/lib/…/libfmt.so.9"; cross compilers have copies for other machines.
    for line in asked.stdout.splitlines():
        owner, _, path = line.partition(": ")
        if architecture in path and "cross" not in path:
            owners.setdefault(Path(path).name, owner.split(",")[0])
    missing = sorted(libraries - owners.keys())
    if missing:
        raise Missing(f"no installed package has {', '.join(missing)}")
    return set(owners.values())


def linked_components(programs: list[Path]) -> list[Component]:
    architecture = subprocess.run(
        ["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], capture_output=True, text=True, check=True
    ).stdout.strip()
    libraries = {library for program in programs for library in needed_libraries(program)}
    libraries = {library for library in libraries if not library.startswith("ld-linux")}
    versions = {
        package.split(":")[0]: dpkg_version(package) for package in packages_of_libraries(libraries, architecture)
    }
    return [
        Component(name, version, "NOASSERTION", f"pkg:deb/debian/{name}@{version}", "linked", "")
        for name, version in sorted(versions.items())
    ]
