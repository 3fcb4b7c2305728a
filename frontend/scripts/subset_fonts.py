"""Cuts the site's typeface into the faces that its pages show, src/shared/styles/fonts/*.woff2, and writes which
letters each one has, src/shared/styles/faces.css. The same faces, without the text's other weights, are what the server
draws cards with: core/src/card/fonts/*.ttf.

Needs the Python packages fonttools and brotli and a folder in which the npm packages
@fontsource-variable/anek-malayalam and @fontsource-variable/anek-latin are unpacked:
    python scripts/subset_fonts.py <node_modules>/@fontsource-variable && npm run fmt
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

# A browser loads a file where one of its letters occurs. The first two are in every first view; the rupee is alone
# because prices need nothing else of its file. Malayalam comes with the joiners and the dotted circle.
SCRIPTS = {
    "latin": ("anek-malayalam", "latin", [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2045), 0x20AC, 0x2212]),
    "malayalam": ("anek-malayalam", "malayalam", [*range(0x0D00, 0x0D80), 0x200C, 0x200D, 0x25CC]),
    "rupee": ("anek-malayalam", "latin-ext", [0x20B9]),
    # Names from Łódź to Türkiye, and transcriptions.
    "latin-ext": ("anek-latin", "latin-ext", [*range(0x100, 0x2C0), *range(0x1E00, 0x1EA0), *range(0x1EF2, 0x1EFA), 0x20BA]),
    "vietnamese": ("anek-latin", "vietnamese", [0x1A0, 0x1A1, 0x1AF, 0x1B0, *range(0x1EA0, 0x1EF2), 0x20AB]),
}
# The beam: closed for headings, half open for text, wide open for the lines beside them.
FACES = {
    "closed": {"wght": 800, "wdth": 75},
    "text": {"wght": (400, 800), "wdth": 100},
    "open": {"wght": 250, "wdth": 125},
}
# The weight of what is read on cards.
CARD_TEXT = 500
# How letters join and stand: `dist` is what moves the signs of Malayalam, as `kern` does elsewhere.
FEATURES = ["kern", "dist", "mark", "mkmk", "liga", "ccmp", "locl", "tnum", "rvrn"] + [
    "akhn", "blws", "haln", "pref", "pstf", "psts",
]  # fmt: skip
# Ascent and descent of the face that has both scripts: a line keeps its height whatever letters stand in it.
ASCENT, DESCENT = 2035, -830
CARDS = Path(__file__).parent.parent.parent / "core/src/card/fonts"


def cut(source: Path, target: Path, letters: list[int], face: dict) -> list[int]:
    """Writes one face; says which letters it has."""
    font = TTFont(source)
    options = Options(layout_features=FEATURES, name_IDs=[0, 1, 2, 13, 14], notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    font = instantiateVariableFont(font, face)
    hhea, os2 = font["hhea"], font["OS/2"]
    hhea.ascent, hhea.descent, hhea.lineGap = ASCENT, DESCENT, 0
    os2.sTypoAscender, os2.sTypoDescender, os2.sTypoLineGap = ASCENT, DESCENT, 0
    os2.usWinAscent, os2.usWinDescent = ASCENT, -DESCENT
    font.flavor = "woff2"
    font.save(target)
    print(f"{target.name}: {target.stat().st_size} bytes")
    if "fvar" in font:
        font = instantiateVariableFont(font, {"wght": CARD_TEXT})
    font.flavor = None
    font.save(CARDS / f"{target.stem}.ttf")
    return sorted(font.getBestCmap())


def ranges(letters: list[int]) -> str:
    """U+20-7E, U+A0, ..."""
    found: list[list[int]] = []
    for letter in letters:
        if found and letter == found[-1][1] + 1:
            found[-1][1] = letter
        else:
            found.append([letter, letter])
    return ", ".join(f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in found)


def rule(name: str, face: dict, letters: list[int]) -> str:
    """The CSS of one face."""
    weight = face["wght"]
    return f"""@font-face {{
  font-family: "Anek";
  font-weight: {"{} {}".format(*weight) if isinstance(weight, tuple) else weight};
  font-stretch: {face["wdth"]}%;
  font-display: swap;
  src: url("./fonts/{name}.woff2") format("woff2");
  unicode-range: {ranges(letters)};
}}
"""


def main() -> None:
    packages = Path(sys.argv[1])
    styles = Path(__file__).parent.parent / "src/shared/styles"
    rules = ["/* Written by scripts/subset_fonts.py: one typeface in three cuts, the beam closed, half open and open. */\n"]
    for script, (package, part, letters) in SCRIPTS.items():
        source = packages / package / f"files/{package}-{part}-standard-normal.woff2"
        for name, face in FACES.items():
            file = f"{script}-{name}"
            rules.append(rule(file, face, cut(source, styles / f"fonts/{file}.woff2", letters, face)))
    (styles / "faces.css").write_text("\n".join(rules))
    for folder in [styles / "fonts", CARDS]:
        (folder / "OFL.txt").write_bytes((packages / "anek-malayalam/LICENSE").read_bytes())


main()
