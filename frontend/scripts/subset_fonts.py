"""Cuts the site's typeface into the faces that its pages show, src/shared/styles/fonts/*.woff2, and records which
letters each one has, src/shared/styles/faces.css. The same faces, without the text's other weights, are those that the
server draws cards with: core/web/src/card/fonts/*.ttf. Of the scripts in OTHER_SCRIPTS, cards have the closed cut alone, and of Malayalam no
open one.

Needs the Python packages fonttools and brotli and a folder in which the npm packages @fontsource-variable/anek-*,
/noto-sans and /noto-sans-arabic are unpacked:
    python scripts/subset_fonts.py <node_modules>/@fontsource-variable && npm run fmt
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.varLib.instancer import instantiateVariableFont

# Letters of every first view: English with its marks, and the small letters that the names of film-makers and countries
# contain most often: each costs 80 bytes here, and 13 kB where it is the only one of its file on a page.
FIRST = [*range(0x20, 0x7F), 0xA0, 0xA9, 0xB7, 0xD7, *map(ord, "áäçèéíñóöü"), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026]
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2045), 0x20AC, 0x2212]

# A browser loads a file where one of its letters occurs. The rupee is alone because prices need nothing else of its file.
# Malayalam comes with the joiners and the dotted circle.
SCRIPTS = {
    "latin": ("anek-malayalam", "latin", FIRST),
    "latin-more": ("anek-malayalam", "latin", [letter for letter in LATIN if letter not in FIRST]),
    "malayalam": ("anek-malayalam", "malayalam", [*range(0x0D00, 0x0D80), 0x200C, 0x200D, 0x25CC]),
    "rupee": ("anek-malayalam", "latin-ext", [0x20B9]),
    # Names from Łódź to Türkiye, and transcriptions.
    "latin-ext": ("anek-latin", "latin-ext", [*range(0x100, 0x2C0), *range(0x1E00, 0x1EA0), *range(0x1EF2, 0x1EFA), 0x20BA]),
    "vietnamese": ("anek-latin", "vietnamese", [0x1A0, 0x1A1, 0x1AF, 0x1B0, *range(0x1EA0, 0x1EF2), 0x20AB]),
}
# The scripts of titles and names: Anek's sisters, and Noto Sans where Anek has none. Signs that several of them share
# (blank, joiners, dotted circle) are in every file, for shaping, and in no range: they never load one.
OTHER_SCRIPTS = {
    "devanagari": ("anek-devanagari", "devanagari", [*range(0x900, 0x980), *range(0xA8E0, 0xA900)]),
    "bengali": ("anek-bangla", "bengali", [*range(0x980, 0xA00)]),
    "gurmukhi": ("anek-gurmukhi", "gurmukhi", [*range(0xA00, 0xA80)]),
    "gujarati": ("anek-gujarati", "gujarati", [*range(0xA80, 0xB00)]),
    "odia": ("anek-odia", "oriya", [*range(0xB00, 0xB80)]),
    "tamil": ("anek-tamil", "tamil", [*range(0xB80, 0xC00)]),
    "telugu": ("anek-telugu", "telugu", [*range(0xC00, 0xC80)]),
    "kannada": ("anek-kannada", "kannada", [*range(0xC80, 0xD00)]),
    "cyrillic": ("noto-sans", "cyrillic", [*range(0x400, 0x460), 0x490, 0x491, 0x4B0, 0x4B1, 0x2116]),
    "cyrillic-ext": ("noto-sans", "cyrillic-ext", [*range(0x460, 0x490), *range(0x492, 0x4B0), *range(0x4B2, 0x530)]),
    "greek": ("noto-sans", "greek", [*range(0x370, 0x400)]),
    "arabic": ("noto-sans-arabic", "arabic", [*range(0x600, 0x700), *range(0x750, 0x780)]),
}
SHARED = [0x20, 0x200C, 0x200D, 0x25CC]
# The beam: closed for headings, half open for text, wide open for the lines beside them.
FACES = {
    "closed": {"wght": 800, "wdth": 75},
    "text": {"wght": (400, 800), "wdth": 100},
    "open": {"wght": 250, "wdth": 125},
}
# Malayalam's closed cut is lighter and wider than its name says: at the weight of Latin, double letters fill their
# counters. Its outlines are drawn on a coarser grid, which saves a tenth of the file.
OPEN_COUNTERS = {("malayalam", "closed"): {"wght": 650, "wdth": 85}}
COARSE_UNITS = 1000
# Malayalam's heavier text is a file of its own: pages with Malayalam text have it in one weight, in 24 kB instead of 62.
# So is its family: within one, browsers put together only faces with the same range of weights.
HEAVIER = {"malayalam": ("Anek Malayalam", (500, 800))}
# Noto Sans does not open as wide.
WIDEST = {"noto-sans": 100, "noto-sans-arabic": 100}
# The weight of text on cards, and the only one of the text in OTHER_SCRIPTS: their letters are many.
CARD_TEXT = 500
# How letters join and are positioned: `dist` moves the signs of Malayalam, as `kern` does elsewhere.
FEATURES = ["kern", "dist", "mark", "mkmk", "liga", "ccmp", "locl", "tnum", "rvrn"] + [
    "akhn", "blws", "haln", "pref", "pstf", "psts",
]  # fmt: skip
# The other scripts join in more ways.
OTHER_FEATURES = FEATURES + [
    "abvf", "abvm", "abvs", "blwf", "blwm", "calt", "cfar", "cjct", "curs", "fina", "half", "init", "isol", "medi",
    "nukt", "pres", "rkrf", "rlig", "rphf", "vatu",
]  # fmt: skip
# Ascent and descent of the face that has both scripts: a line keeps its height whatever letters it contains.
ASCENT, DESCENT = 2035, -830
UNITS = 2000
CARDS = Path(__file__).parent.parent.parent / "core/web/src/card/fonts"


def cut(source: Path, target: Path, letters: list[int], face: dict, features: list[str], units: int) -> list[int]:
    """Writes one face of the site; returns the letters that it has."""
    font = drawn(source, letters, face, features, units)
    font.flavor = "woff2"
    font.save(target)
    print(f"{target.name}: {target.stat().st_size} bytes")
    return sorted(font.getBestCmap())


def cut_for_cards(source: Path, name: str, letters: list[int], face: dict, features: list[str]) -> None:
    """Writes one face of the cards, which have one weight of each."""
    font = drawn(source, letters, face, features)
    if "fvar" in font:
        font = instantiateVariableFont(font, {"wght": CARD_TEXT})
    font.save(CARDS / f"{name}.ttf")


def drawn(source: Path, letters: list[int], face: dict, features: list[str], units: int = UNITS) -> TTFont:
    """One cut of a typeface with these letters, and the line height of all."""
    font = TTFont(source)
    options = Options(layout_features=features, name_IDs=[0, 1, 2, 13, 14], notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    font = instantiateVariableFont(font, face)
    scale_upem(font, units)
    hhea, os2 = font["hhea"], font["OS/2"]
    ascent, descent = round(ASCENT * units / UNITS), round(DESCENT * units / UNITS)
    hhea.ascent, hhea.descent, hhea.lineGap = ascent, descent, 0
    os2.sTypoAscender, os2.sTypoDescender, os2.sTypoLineGap = ascent, descent, 0
    os2.usWinAscent, os2.usWinDescent = ascent, -descent
    font.flavor = None
    return font


def ranges(letters: list[int]) -> str:
    """U+20-7E, U+A0, ..."""
    found: list[list[int]] = []
    for letter in letters:
        if found and letter == found[-1][1] + 1:
            found[-1][1] = letter
        else:
            found.append([letter, letter])
    return ", ".join(f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in found)


def rule(family: str, name: str, face: dict, letters: list[int]) -> str:
    """The CSS of one face."""
    weight = face["wght"]
    return f"""@font-face {{
  font-family: "{family}";
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
    for script, (package, part, letters) in (SCRIPTS | OTHER_SCRIPTS).items():
        source = packages / package / f"files/{package}-{part}-standard-normal.woff2"
        other = script in OTHER_SCRIPTS
        for name, face in FACES.items():
            file = f"{script}-{name}"
            shape = face | {"wdth": min(face["wdth"], WIDEST.get(package, face["wdth"]))}
            if other and name == "text":
                shape["wght"] = CARD_TEXT
            wanted = letters + SHARED if other else letters
            features = OTHER_FEATURES if other else FEATURES
            family, heavier = HEAVIER.get(script, ("Anek", None))
            own = OPEN_COUNTERS.get((script, name))
            files = {file: (face, own or shape)}
            if heavier and name == "text":
                lighter, heavy = face | {"wght": face["wght"][0]}, face | {"wght": heavier}
                files = {file: (lighter, lighter), f"{script}-heavier": (heavy, heavy)}
            for file_name, (said, cut_as) in files.items():
                has = cut(source, styles / f"fonts/{file_name}.woff2", wanted, cut_as, features, COARSE_UNITS if own else UNITS)
                named = [letter for letter in has if not (other and letter in SHARED)]
                rules.append(rule(family, file_name, said, named))
            # A card has no first view: all of Latin is one file there.
            if script == "latin":
                cut_for_cards(source, file, LATIN, shape, features)
            elif script != "latin-more" and (not other or name == "closed") and file != "malayalam-open":
                cut_for_cards(source, file, wanted, shape, features)
    (styles / "faces.css").write_text("\n".join(rules))
    for folder in [styles / "fonts", CARDS]:
        for name, package in [("OFL.txt", "anek-malayalam"), ("OFL-Noto-Sans.txt", "noto-sans")]:
            (folder / name).write_bytes((packages / package / "LICENSE").read_bytes())


main()
