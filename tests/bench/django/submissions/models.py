"""The tables: films, files, outgoing mails and the last number."""

from django.db import models

TEXTS = (
    "title_original title_english film_language subtitles film_type is_first_or_second_feature duration_minutes "
    "year_of_production country_of_origin technical_features origination_format presentation_format producer_name "
    "producer_email producer_mobile director_name director_email director_mobile biography screener_link "
    "screener_link_password synopsis_long synopsis_short stills_link cast_and_crew name_of_submitter "
    "correspondence_contact correspondence_email"
).split()
# Fields that may be empty.
OPTIONAL = {"screener_link_password", "presentation_format"}
# File fields, and whether they accept PDF.
FILES = {
    "film_poster": False,
    "director_photo": False,
    "producer_consent": True,
    "documentation": True,
    "signature": False,
    "screenshot": False,
}


class FilmSubmission(models.Model):
    reference = models.CharField(max_length=20, unique=True)
    fingerprint = models.CharField(max_length=64, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)


for name in TEXTS:
    FilmSubmission.add_to_class(name, models.TextField(blank=name in OPTIONAL))


class SubmissionFile(models.Model):
    submission = models.ForeignKey(FilmSubmission, on_delete=models.CASCADE)
    field = models.CharField(max_length=40)
    key = models.CharField(max_length=80, unique=True)
    name = models.CharField(max_length=120)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)


class Mail(models.Model):
    recipient = models.CharField(max_length=254)
    subject = models.TextField()
    body = models.TextField()


class Counter(models.Model):
    prefix = models.CharField(max_length=4, primary_key=True)
    last_number = models.BigIntegerField(default=0)
