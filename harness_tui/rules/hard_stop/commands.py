"""Which shell commands build or test, which destroy (formats/hard-stop 3, hole 2)."""

from __future__ import annotations

import re

from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

_TOOLS: Final = """
    ant ansible-lint autopep8 ava bandit bazel bazelisk behave biome black buck buck2 bundle-audit busted c8 cabal cc
    checkstyle clang clang++ clippy cmake codespell compileall cppcheck cpplint ctest cypress detekt dialyzer dune
    erlc esbuild eslint flake8 g++ gcc gfortran gmake gofmt golangci-lint gotestsum gradle gradlew grunt gulp hadolint
    hlint htmlhint isort jasmine javac jest just karma kotlinc ktlint latexmk lein lint-imports luacheck make
    markdownlint maven meson mocha mocha-parallel-tests msbuild mvn mvnd mvnw mypy nextest ninja nmake nosetests nox
    nx nyc oxlint parcel phpcs phpstan phpunit pre-commit prettier prove psalm py.test pylint pyright pytest qmake
    rake rebar3 rollup rspec rubocop ruff rustc sbt scalac scons shellcheck snakemake sphinx-build staticcheck
    stylelint swiftc swiftlint tap task tox tsc tsup turbo ty unittest vitest vue-tsc waf webpack xcodebuild xmake
    xunit yamllint zeitwerk
"""
_VERBS: Final = {
    "go": "build test vet install run generate",
    "cargo": "build b test t check c clippy run r bench fmt doc install nextest miri",
    "npm": "test t tst ci install i run run-script exec rebuild start build lint",
    "pnpm": "test t install i run build lint exec check typecheck",
    "yarn": "test install run build lint check typecheck",
    "bun": "test install run build x",
    "deno": "test check lint task compile bench fmt",
    "dotnet": "build test publish run restore format",
    "swift": "build test run",
    "flutter": "build test analyze",
    "dart": "test analyze compile",
    "mix": "test compile credo dialyzer format",
    "zig": "build test",
    "stack": "build test",
    "composer": "install test update validate",
    "pip": "install check",
    "pip3": "install check",
    "uv": "build sync lock",
    "poetry": "build install check lock",
    "pdm": "build install",
    "hatch": "build test run",
    "docker": "build",
    "podman": "build",
    "terraform": "validate plan init",
    "tofu": "validate plan init",
    "helm": "lint template",
    "next": "build lint",
    "vite": "build",
    "astro": "build check",
    "ng": "build test lint",
    "vue-cli-service": "build test lint",
    "lerna": "run test build",
    "rails": "test",
    "artisan": "test",
    "playwright": "test",
    "lake": "build test",
    "gleam": "build test check",
    "nimble": "build test",
    "crystal": "build spec",
    "bundle": "install",
    "buf": "build lint",
    "dbt": "build test",
    "forge": "build test",
    "hardhat": "compile test",
    "jekyll": "build",
    "kustomize": "build",
    "mkdocs": "build",
    "nix": "build flake",
    "pio": "run test check",
    "react-scripts": "build test",
    "wasm-pack": "build test",
}
_VERB_SETS: Final = {name: frozenset(verbs.split()) for name, verbs in _VERBS.items()}
_STARTERS: Final = """
    bunx caffeinate chronic command cross-env direnv doas dotenv env exec gtimeout ionice nice nohup npx pnpx
    stdbuf sudo time timeout uvx xvfb-run
"""
_RUNNERS: Final = {
    "uv": ("run", "tool"), "poetry": ("run",), "pdm": ("run",), "pipenv": ("run",), "rye": ("run",), "hatch": ("run",),
    "bundle": ("exec",), "pnpm": ("exec", "dlx"), "yarn": ("exec", "dlx"), "npm": ("exec",), "bun": ("x",),
    "mise": ("exec",), "coverage": ("run",), "nix": ("develop",),
}  # fmt: skip
_MANAGERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
_WITHIN: Final = frozenset(
    {"--prefix", "-w", "--workspace", "workspace", "--filter", "-F", "-C", "--dir", "--cwd", "--loglevel"}
)
_INTERPRETERS: Final = regex(r"(?:python|pypy)\d?(?:\.\d+)?|node|deno|bun|ruby|perl|php|bash|sh|zsh|dash|source|\.")
_PROBES: Final = """
    [ [[ ack ag awk cat cd cmp command cp curl cut diff echo egrep false fd fgrep file find gh git grep head jq
    kill less ls mkdir mv nc pgrep ping printf ps pwd rg rm sed sleep sort ssh stat tail tee test touch tr true
    type uniq wc wget which xargs
"""
_ALWAYS: Final = frozenset(_TOOLS.split())
_WRAPPERS: Final = frozenset(_STARTERS.split())
_SEARCHES: Final = frozenset(_PROBES.split())
_PART: Final = regex(
    r"""\s*(?:(?P<end>&&|\|\|?&?|;|\n|(?<!>)&(?!>))|(?P<word>(?:>&|&>|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s;&|'"\\])+|.))""",
    re.DOTALL,
)
_ASSIGNED: Final = regex(r"[A-Za-z_]\w*=")
_NUMBER: Final = regex(r"\d+(?:\.\d+)?[smhd]?")
_READ: Final = 4000
_DEPTH: Final = 4

_GIT: Final = r"\bgit\s+(?:-[Cc]\s+\S+\s+|-\S+\s+)*"
_REST: Final = r"[^|;&]*"
_DESTRUCTIVE: Final = tuple(
    regex(pattern, re.IGNORECASE)
    for pattern in (
        r"\brm\s+(?:-\S+\s+)*(?:-\w*[rf]\w*|--recursive|--force)(?=\s|$)",
        rf"{_GIT}push\b{_REST}\s(?:--force|-\w*f\b|--delete\b|--mirror\b|\+\S)",
        rf"{_GIT}(?:reset\s{_REST}--hard|clean\s{_REST}-\w*f|branch\s+-D\b|stash\s+(?:clear|drop)|filter-branch)",
        rf"{_GIT}(?:update-ref\s+-d|reflog\s+expire|(?:checkout|restore)\s+(?:\S+\s+)*\.(?=\s|$))",
        r"\b(?:mkfs(?:\.\w+)?|wipefs|shred|fdisk|parted|sfdisk)\b",
        rf"\bdd\s{_REST}\bof=/dev/|>\s*/dev/(?:sd|nvme|vd|hd|disk)",
        rf"\bfind\s{_REST}\s-(?:delete|exec\s+rm)\b",
        r"\bdrop\s+(?:table|database|schema)\b|\btruncate\s+table\b|\bdelete\s+from\s+\w+\s*(?:;|$|[\"'])",
        rf"\bch(?:mod|own)\s+(?:-\w*R|--recursive){_REST}\s/",
        r"\b(?:shutdown|reboot|halt|poweroff)(?=\s|$)",
        rf"\bkubectl\s+delete\b|\bterraform\s+(?:destroy|apply\s{_REST}-auto-approve)",
        r"\bdocker\s+(?:system|volume)\s+prune\b|:\(\)\s*\{\s*:\s*\|",
    )
)


def squeezed(command: str) -> str:
    """`command` with each run of white space made one blank: the text by which commands are told apart."""
    return " ".join(command.split())


def builds_or_tests(command: str, listed: Iterable[str] = ()) -> bool:
    """Whether `command` is one of `listed` (with other arguments, too) or of the built-in list.

    Commands that only search or probe are not, unless they are listed word for word.
    """
    parts = [words for words in _parts(command[:_READ]) if words]
    texts = [squeezed(command), *(" ".join(words) for words in parts)]
    for wanted in map(squeezed, listed):
        first = wanted.partition(" ")[0]
        for text in texts if wanted else ():
            if text == wanted or (first not in _SEARCHES and text.startswith(wanted + " ")):
                return True
    return any(_counts(words, _DEPTH) for words in parts)


def is_destructive(command: str) -> bool:
    """Whether `command` would destroy work or data past recovery."""
    text = squeezed(command[:_READ])
    return any(pattern.search(text) for pattern in _DESTRUCTIVE)


def _parts(command: str) -> Iterator[list[str]]:
    """Words of each simple command of a line. Quotes hold a word together; what is in them is no command."""
    words: list[str] = []
    for found in _PART.finditer(command):
        if found["end"] is not None:
            yield words
            words = []
        elif found["word"].strip():
            words.append(found["word"].strip("(){}") or found["word"])
    yield words


def _counts(words: list[str], depth: int) -> bool:
    words = _unwrapped(words)
    if not words or not depth:
        return False
    name = words[0].strip("'\"").rpartition("/")[2].casefold()
    rest = [word.strip("'\"") for word in words[1:]]
    plain = [word for word in rest if not word.startswith("-")]
    if name in _RUNNERS and plain and plain[0] in _RUNNERS[name]:
        inner = rest[rest.index(plain[0]) + 1 :]
        if _counts(_without_flags(inner), depth - 1):
            return True
    if name in _MANAGERS:
        return _managed(name, rest)
    if name in _ALWAYS:
        return True
    if name == "docker-compose" or (name in {"docker", "podman"} and plain[:1] == ["compose"]):
        return "build" in plain
    if name in _VERB_SETS:
        plain = [word for word in plain if not word.startswith("+")]  # cargo +nightly
        return bool(plain) and plain[0].partition(":")[0] in _VERB_SETS[name]
    if name in _SEARCHES:
        return False
    return _INTERPRETERS.fullmatch(name) is not None and _interpreted(rest, depth)


def _managed(name: str, rest: list[str]) -> bool:
    """What a package manager is asked for: a verb of its own or a tool of the project, also inside a named package."""
    while rest:
        word, rest = rest[0], rest[1:]
        if word in _WITHIN:
            rest = rest[1:]
        elif not word.startswith("-"):
            return word.partition(":")[0] in _VERB_SETS[name] or word in _ALWAYS
    return False


def _interpreted(rest: list[str], depth: int) -> bool:
    """What an interpreter is told to run: a module, a line of shell, its own test runner, or a tool by its path."""
    for number, word in enumerate(rest):
        if word in {"-c", "-lc", "-ec"} and number + 1 < len(rest):
            return any(_counts(words, depth - 1) for words in _parts(rest[number + 1]))
        if not word.startswith("-"):
            return _counts(rest[number:], depth - 1)
    return "--test" in rest


def _unwrapped(words: list[str]) -> list[str]:
    """Words without assignments and commands that only start another one."""
    while words:
        name = words[0].rpartition("/")[2]
        if name == "command" and words[1:2] in (["-v"], ["-V"]):
            return []
        if _ASSIGNED.match(words[0]) or words[0] in {"!", "(", "{", "then", "do", "else", "if", "while", "until"}:
            words = words[1:]
        elif name in _WRAPPERS:
            words = _without_flags(words[1:])
        else:
            return words
    return words


def _without_flags(words: list[str]) -> list[str]:
    while words and (words[0].startswith("-") or _NUMBER.fullmatch(words[0])):
        words = words[1:]
    return words
