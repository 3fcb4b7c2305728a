"""Stores files: the type is detected from the bytes, pictures are re-encoded, and all is on disk before the response."""

import hashlib
import os
import secrets

from django.conf import settings
from PIL import Image
from rest_framework.serializers import ValidationError

MOST_PIXELS = 40_000_000
FORMATS = {"JPEG": ("jpg", {"quality": 90}), "PNG": ("png", {"compress_level": 1}), "WEBP": ("webp", {"lossless": True})}


def keep(field, sent, takes_pdf):
    """Writes one file to the store and returns the values of its row."""
    head = sent.read(5)
    sent.seek(0)
    if head == b"%PDF-":
        if not takes_pdf:
            raise ValidationError({field: "This is a PDF."})
        return store(field, sent, "pdf", lambda out: [out.write(chunk) for chunk in sent.chunks()])
    try:
        with Image.open(sent) as picture:
            if picture.format not in FORMATS or picture.width * picture.height > MOST_PIXELS:
                raise ValueError
            picture.verify()
        sent.seek(0)
        with Image.open(sent) as picture:
            extension, options = FORMATS[picture.format]
            picture.load()
            kind = picture.format
            pixels = Image.frombytes(picture.mode, picture.size, picture.tobytes())
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise ValidationError({field: "This picture cannot be read."}) from error
    return store(field, sent, extension, lambda out: pixels.save(out, kind, **options))


def store(field, sent, extension, write):
    key = f"{secrets.token_hex(16)}.{extension}"
    folder = settings.MEDIA_ROOT
    staged, stored = folder / "staging" / key, folder / "private" / key
    with open(staged, "w+b") as out:
        write(out)
        out.flush()
        os.fsync(out.fileno())
        out.seek(0)
        digest = hashlib.file_digest(out, "sha256").hexdigest()
    os.rename(staged, stored)
    directory = os.open(stored.parent, os.O_RDONLY)
    os.fsync(directory)
    os.close(directory)
    return {"field": field, "key": key, "name": sent.name[:120], "size": stored.stat().st_size, "sha256": digest}
