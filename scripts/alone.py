"""`scripts/oracle adapters`: writes tests/data/adapters-alone.txt from what tests/real/scenarios/expressions/alone.rs found, one file an adapter.

    scripts/alone.py FOLDER
"""

import datetime
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/data/adapters-alone.txt"
ADAPTERS = ("netcoredbg", "dncdbg")
ALONE = ("right", "wrong", "refused", "ended")
WITH = ("right", "wrong", "refused")
LISTED = "What adapters were measured with"
WIDTH = 60
HEADER = f"""# What adapters by themselves make of the expressions of tests/fixtures/Expressions, and what clrbridge makes of them over each.
# Written by `scripts/oracle adapters`. right: the value, an object of its type, or a failure where C# refuses or throws. wrong:
# another value, or one of what C# refuses. ended: the adapter ended or did not answer.
"""


def read(file):
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]


def version(adapter):
    said = subprocess.run([adapter, "--version"], capture_output=True, text=True).stdout.splitlines()
    return next((line.strip() for line in said if any(letter.isdigit() for letter in line)), adapter)


def counted(rows, words):
    return "/".join(str(rows.count(word)) for word in words)


def main():
    folder = pathlib.Path(sys.argv[1])
    found = {adapter: read(folder / f"{adapter}.txt") for adapter in ADAPTERS if (folder / f"{adapter}.txt").is_file()}
    asked = [[row[:2] for row in rows] for rows in found.values()]
    if not asked or any(one != asked[0] for one in asked):
        sys.exit("the adapters were not asked the same")
    versions = "; ".join(f"{adapter}: {version(adapter)}" for adapter in found)
    lines = [f"{HEADER}# {versions}; {datetime.date.today().isoformat()}", ""]
    counts = [f"{adapter} {what}" for adapter in found for what in (f"alone ({'/'.join(ALONE)})", f"with clrbridge ({'/'.join(WITH)})")]
    lines.append("\t".join(["heading", "expressions", *counts]))
    headings = list(dict.fromkeys(row[0] for row in asked[0]))
    for heading in [*headings, "all"]:
        cells = []
        for rows in found.values():
            own = [row for row in rows if heading in (row[0], "all")]
            cells += [counted([row[2] for row in own], ALONE), counted([row[4] for row in own], WITH)]
        lines.append("\t".join([heading, str(len(own)), *cells]))
    lines += ["", "\t".join(["expression", *(f"{adapter} {what}" for adapter in found for what in ("alone", "says", "with clrbridge"))])]
    for rows in zip(*found.values()):
        if rows[0][0] == LISTED:
            cells = [cell for row in rows for cell in (row[2], row[3][:WIDTH], row[4])]
            lines.append("\t".join([rows[0][1], *cells]))
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{TABLE}: {len(headings)} headings, {len(asked[0])} expressions")


main()
