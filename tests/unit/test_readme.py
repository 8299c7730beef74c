"""The README's key table is the action list. `python tests/unit/test_readme.py` writes it anew."""

from pathlib import Path

from harness_tui.tui.actions import key_table

README = Path(__file__).parents[2] / "README.md"
START = "<!-- keys: made by tests/unit/test_readme.py from the action list -->\n"
END = "<!-- end of keys -->\n"


def test_the_key_table_is_made_from_the_action_list():
    text = README.read_text(encoding="utf-8")

    assert text.split(START)[1].split(END)[0].strip() == key_table().strip()


if __name__ == "__main__":
    head, rest = README.read_text(encoding="utf-8").split(START)
    README.write_text(f"{head}{START}\n{key_table()}\n{END}{rest.split(END)[1]}", encoding="utf-8")
