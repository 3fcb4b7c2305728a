// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
/** What is said of entries, and how long one may be. */
export const checkTexts = {
  "missing": "Please fill in {field}",
  "too_large": "{field} file must be less than 5MB",
  "too_many_words": "{label} has {count} words, at most {limit} are accepted",
  "consent_missing": "Please read the notice on personal data and tick the box below it",
  "not_an_email": "This is not an e-mail address like name@example.org",
  "link_runs": "Please give a web address, one that begins with https://",
  "read_as": "We read this as {read}. If it is right, send it as it is.",
  "not_read": "We could not read {what} here. If it is right, send it as it is.",
  "unusual": "This is unusual. If it is right, send it as it is.",
  "guardian": "Under 18, a parent or guardian has to agree before we use these data: please let them write to {contact}. You can send the form now.",
  "largest_text_bytes": 65536
};

/** The characters that cleaning and parsing texts treat specially: classes of regular expressions, and zeros in hexadecimal. */
export const codePoints = {
  "invisible": "[\\u{ad}-\\u{ad}\\u{61c}-\\u{61c}\\u{180e}-\\u{180e}\\u{200b}-\\u{200b}\\u{200e}-\\u{200f}\\u{202a}-\\u{202e}\\u{2060}-\\u{206f}\\u{3164}-\\u{3164}\\u{feff}-\\u{feff}\\u{ffa0}-\\u{ffa0}\\u{fff9}-\\u{fffb}\\u{e0000}-\\u{e001f}]",
  "shaping": "[\\u{200c}-\\u{200d}\\u{e0020}-\\u{e007f}]",
  "shaped": "[\\u{590}-\\u{1cff}\\u{2190}-\\u{2bff}\\u{a800}-\\u{abff}\\u{fb1d}-\\u{fdff}\\u{fe00}-\\u{fe0f}\\u{fe70}-\\u{fefc}\\u{10a00}-\\u{11fff}\\u{1f000}-\\u{1faff}\\u{e0020}-\\u{e007f}]",
  "zeros": "660 6f0 7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 17e0 1810 ff10"
};

/** How types of files are detected, and the errors for files that are refused: the server's own tables. */
export const files = {
  "head": 1024,
  "pdf_start": "%PDF-",
  "most_pixels": 268435456,
  "signatures": [
    {
      "name": "a JPEG picture",
      "mime": "image/jpeg",
      "bytes": "ffd8ff"
    },
    {
      "name": "a PNG picture",
      "mime": "image/png",
      "bytes": "89504e470d0a1a0a"
    },
    {
      "name": "a WebP picture",
      "mime": "image/webp",
      "bytes": "52494646........57454250"
    },
    {
      "name": "a GIF",
      "mime": "image/gif",
      "bytes": "474946383761"
    },
    {
      "name": "a GIF",
      "mime": "image/gif",
      "bytes": "474946383961"
    },
    {
      "name": "a BMP picture",
      "mime": "image/bmp",
      "bytes": "424d........00000000"
    },
    {
      "name": "a PDF",
      "mime": "application/pdf",
      "bytes": "255044462d"
    },
    {
      "name": "an AVIF picture",
      "mime": "image/avif",
      "bytes": "........6674797061766966"
    },
    {
      "name": "an AVIF picture",
      "mime": "image/avif",
      "bytes": "........6674797061766973"
    },
    {
      "name": "a HEIC photo",
      "mime": "image/heic",
      "bytes": "........66747970686569"
    },
    {
      "name": "a HEIC photo",
      "mime": "image/heic",
      "bytes": "........66747970686576"
    },
    {
      "name": "a HEIC photo",
      "mime": "image/heic",
      "bytes": "........667479706d696631"
    },
    {
      "name": "a HEIC photo",
      "mime": "image/heic",
      "bytes": "........667479706d736631"
    },
    {
      "name": "a video",
      "mime": "video/mp4",
      "bytes": "........66747970"
    },
    {
      "name": "PostScript",
      "mime": "",
      "bytes": "25215053"
    },
    {
      "name": "a Photoshop file",
      "mime": "",
      "bytes": "38425053"
    },
    {
      "name": "a JPEG 2000 picture",
      "mime": "",
      "bytes": "........6a502020"
    },
    {
      "name": "a JPEG 2000 picture",
      "mime": "",
      "bytes": "ff4fff51"
    },
    {
      "name": "a JPEG XL picture",
      "mime": "",
      "bytes": "........4a584c20"
    },
    {
      "name": "a JPEG XL picture",
      "mime": "",
      "bytes": "ff0a"
    },
    {
      "name": "a TIFF picture",
      "mime": "",
      "bytes": "49492a00"
    },
    {
      "name": "a TIFF picture",
      "mime": "",
      "bytes": "4d4d002a"
    },
    {
      "name": "a ZIP or Office file",
      "mime": "",
      "bytes": "504b0304"
    },
    {
      "name": "a program",
      "mime": "",
      "bytes": "4d5a"
    },
    {
      "name": "a program",
      "mime": "",
      "bytes": "7f454c46"
    }
  ],
  "texts": [
    {
      "name": "an SVG drawing",
      "words": [
        "<svg"
      ]
    },
    {
      "name": "a web page",
      "words": [
        "<!doctype html",
        "<html",
        "<script",
        "<body"
      ]
    }
  ],
  "allowed": [
    {
      "accept": "image/jpeg,image/png,image/webp,image/gif,image/bmp",
      "words": "JPEG, PNG or WebP"
    },
    {
      "accept": "image/jpeg,image/png,image/webp,image/gif,image/bmp,application/pdf",
      "words": "JPEG, PNG, WebP or PDF"
    }
  ],
  "other_kind": "This is {name}. Please save it as {allowed} and choose it again.",
  "heic": "This is a HEIC photo, which many programs cannot open. Export it as JPEG, or set the phone's camera to its most compatible format and take it again. Allowed are {allowed}.",
  "unknown_kind": "This is no file that we can read. Please choose a {allowed}.",
  "too_many_pixels": "This picture has {width} x {height} pixels, which is too many. At most {most} million are taken; please make it smaller.",
  "moving": "This is a moving picture. It is kept as it is; pages show its first frame.",
  "unreadable": "This picture is damaged or incomplete. Please save a new copy and choose that one.",
  "unreadable_pdf": "This PDF is damaged or incomplete. Please save a new copy and choose that one."
};

