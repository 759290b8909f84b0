"""Makes PyTorch's published Linux build importable without the CUDA libraries.

The build on the Python package index is linked against CUDA, which lies in further packages that a
machine without a GPU has no use for. This script puts empty shared libraries in
their place, with the names and versioned symbols that the loader asks for. Nothing on the CPU path
is touched.

Usage: python stub_libraries.py SITE_PACKAGES/torch
Needs `objdump`, `nm` and `gcc`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(library: Path) -> list[str]:
    lines = output("objdump", "-p", str(library)).splitlines()
    return [line.split()[1] for line in lines if line.strip().startswith("NEEDED")]


def symbols(library: Path, kind: str) -> list[tuple[str, str, str]]:
    """(type, name, version) of the dynamic symbols; kind is `undefined` or `defined`."""
    found = []
    listing = output(
        "nm", "-D", "--with-symbol-versions", f"--{kind}-only", str(library)
    )
    for line in listing.splitlines():
        *_, letter, text = line.split()
        name, _, version = text.partition("@")
        found.append((letter, name, version.lstrip("@")))
    return found


def system_libraries() -> dict[str, Path]:
    listing = output("/sbin/ldconfig", "-p").splitlines()
    entries = [
        line.split(" => ") for line in listing if " => " in line and "x86-64" in line
    ]
    return {name.split()[0]: Path(path) for name, path in reversed(entries)}


def build(target: Path, names: dict[str, set[str]]) -> None:
    """A library of that file name whose symbols, by version ("" for none), do nothing."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "stub.s")
        script = Path(folder, "stub.map")
        every = sorted(set().union(*names.values())) if names else []
        # Every function answers 100, cudaErrorNoDevice: PyTorch then says that there is no GPU.
        lines = [".text", ".balign 16"]
        for name in every:
            lines += [f".globl {name}", f".type {name}, @function", f"{name}:"]
        lines += ["movl $100, %eax", "ret", '.section .note.GNU-stack,"",@progbits']
        source.write_text("\n".join(lines) + "\n")
        versions = {v: n for v, n in names.items() if v}
        script.write_text(
            "".join(
                f"{version} {{ {' '.join(f'{n};' for n in sorted(members))} }};\n"
                for version, members in sorted(versions.items())
            )
        )
        flags = [f"-Wl,--version-script={script}"] if versions else []
        subprocess.run(
            [
                "gcc",
                "-shared",
                "-nostdlib",
                f"-Wl,-soname,{target.name}",
                *flags,
                "-o",
                str(target),
                str(source),
            ],
            check=True,
        )


def main(torch: Path) -> None:
    folder = torch / "lib"
    ours = [path for path in folder.glob("*.so*") if path.is_file()]
    ours += list(torch.glob("_C*.so"))
    system = system_libraries()
    present = {path.name for path in ours} | set(system)
    missing = sorted({name for path in ours for name in needed(path)} - present)
    readable = set(ours) | {
        system[n] for path in ours for n in needed(path) if n in system
    }
    defined = {name for path in readable for _, name, _ in symbols(path, "defined")}

    wanted: dict[str, dict[str, set[str]]] = {
        name: defaultdict(set) for name in missing
    }
    for path in ours:
        lacking = [name for name in needed(path) if name in wanted]
        for letter, name, version in symbols(path, "undefined"):
            if name in defined or letter in "wv" or not lacking:
                continue
            # A version is named after its library; what has none may lie in any.
            home = next(
                (
                    n
                    for n in lacking
                    if version and n.startswith(version.split(".so")[0])
                ),
                lacking[0],
            )
            wanted[home][version].add(name)
    for name, names in wanted.items():
        build(folder / name, names)
        print(f"{name}: {sum(map(len, names.values()))} symbols", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
