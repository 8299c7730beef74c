from __future__ import annotations

import pytest

from harness_tui.rules.hard_stop.commands import builds_or_tests, is_destructive


@pytest.mark.parametrize(
    "command",
    [
        "npm test",
        "npm run build",
        "pnpm build",
        "yarn test:unit",
        "make",
        "make -j4 all",
        "pytest -q",
        "go test ./...",
        "cargo build --release",
        "./gradlew build",
        "python -m pytest tests",
        "python3 -m unittest",
        "npx tsc --noEmit",
        "cd app && npm test",
        "CI=1 npm test",
        "env CI=1 npm test",
        "timeout 60 pytest",
        "sudo make install",
        "uv run pytest -q",
        "poetry run mypy .",
        "bundle exec rspec",
        "bash -c 'npm test'",
        'sh -lc "cd a; make"',
        "npm test 2>&1 | tail -n 20",
        "(cd a && make)",
        "docker compose build web",
        "node --test",
        "node node_modules/.bin/jest",
        "/usr/bin/make",
        "terraform validate",
        "! make",
        "dotnet test",
        "ruff check .",
        "echo start; make",
        "npm --prefix web test",
        "npm -w web run build",
        "pnpm --filter web test",
        "yarn workspace web test",
        "yarn jest",
        "pnpm vitest run",
        "cargo +nightly test",
        "gulp build",
        "npx prettier --check .",
        "nix build",
        "mkdocs build --strict",
    ],
)
def test_commands_that_build_or_test(command):
    assert builds_or_tests(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "grep -rn make src",
        "rg pytest",
        "ls",
        "cat Makefile",
        "npm ls test",
        "npm view jest",
        "npm --prefix web ls",
        "test -f make",
        "which pytest",
        "command -v pytest",
        "git status",
        "git commit -m 'make test pass'",
        "echo 'npm test'",
        'echo "a && make"',
        "npm ls",
        "go version",
        "find . -name pytest",
        "npm view make",
        "python -c 'import pytest'",
        "./deploy.sh",
        "curl https://x.test/make",
        "gh run view",
        "kill -0 1",
        "ps aux",
        "'",
        '"',
        "&& ||",
        "docker ps",
        "cargo --version",
    ],
)
def test_commands_that_do_not(command):
    assert not builds_or_tests(command)


def test_listed_commands_count_with_other_arguments_too():
    listed = ("./ci/verify.sh", "rg glaze")
    assert builds_or_tests("./ci/verify.sh", listed)
    assert builds_or_tests("cd a &&  ./ci/verify.sh --fast", listed)
    assert builds_or_tests("rg  glaze", listed)
    assert not builds_or_tests("rg glaze src", listed)
    assert not builds_or_tests("./ci/verify.sh.bak", listed)
    assert not builds_or_tests("ls", ("",))


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf build",
        "rm -r x",
        "cd a && rm -f b",
        "sudo rm --recursive /x",
        "git push --force",
        "git push -f origin main",
        "git push origin +main",
        "git -C a reset --hard HEAD~1",
        "git clean -xfd",
        "git checkout -- .",
        "git branch -D x",
        "mkfs.ext4 /dev/sda",
        "dd if=a of=/dev/sda",
        "find . -delete",
        "psql -c 'DROP TABLE kiln'",
        "chmod -R 777 /",
        "shutdown -h now",
        "kubectl delete ns kiln",
        "terraform destroy",
    ],
)
def test_commands_that_destroy(command):
    assert is_destructive(command)


@pytest.mark.parametrize(
    "command",
    [
        "rm a.txt",
        "git push",
        "git push origin main",
        "git reset",
        "git clean -n",
        "make clean",
        "ls -rf",
        "npm run format",
        "git checkout main",
        "find . -name x",
        "grep -rf patterns src",
        "echo firm",
    ],
)
def test_commands_that_do_not_destroy(command):
    assert not is_destructive(command)


def test_an_endless_command_is_judged_quickly():
    for text in ("'" * 200_000, "a " * 200_000, "git " * 200_000, "&" * 200_000, "rm -" * 100_000):
        assert not builds_or_tests(text)
        is_destructive(text)
