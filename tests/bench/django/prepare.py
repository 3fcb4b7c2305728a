"""Creates the tables and folders of the Django site."""

import os

import django
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_settings")
django.setup()

from django.conf import settings  # noqa: E402  (Django must be set up first)
from submissions import models  # noqa: E402

for folder in ("staging", "private"):
    (settings.MEDIA_ROOT / folder).mkdir(parents=True, exist_ok=True)
with connection.schema_editor() as editor:
    for model in (models.FilmSubmission, models.SubmissionFile, models.Mail, models.Counter):
        editor.create_model(model)
