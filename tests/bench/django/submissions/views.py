"""The view that receives the form."""

import hashlib

from django.db import transaction
from rest_framework.response import Response
from rest_framework.views import APIView

from .files import keep
from .models import FILES, TEXTS, Counter, FilmSubmission, Mail, SubmissionFile
from .serializers import FilmSerializer


class FilmSubmissionView(APIView):
    """Validates, stores the files, then writes row, file rows, number and two mails in one transaction, then responds."""

    def post(self, request):
        form = FilmSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        values = form.validated_data
        kept = [keep(field, values[field], takes_pdf) for field, takes_pdf in FILES.items()]
        content = "\0".join([values["correspondence_email"], values["title_english"], *(file["sha256"] for file in kept)])
        fingerprint = hashlib.sha256(content.encode()).hexdigest()
        with transaction.atomic():
            counter, _ = Counter.objects.select_for_update().get_or_create(prefix="FS")
            before = FilmSubmission.objects.filter(fingerprint=fingerprint).first()
            if before is None:
                counter.last_number += 1
                counter.save(update_fields=["last_number"])
                before = self.write(values, kept, fingerprint, f"FS-2025-{counter.last_number:04}")
        return Response({"id": before.id, "reference": before.reference}, status=201)

    def write(self, values, kept, fingerprint, reference):
        texts = {name: values.get(name, "") for name in TEXTS}
        row = FilmSubmission.objects.create(reference=reference, fingerprint=fingerprint, **texts)
        SubmissionFile.objects.bulk_create(SubmissionFile(submission=row, **file) for file in kept)
        listed = "\n".join(f"{file['field']}: {file['name']}, {file['size']} bytes" for file in kept)
        for recipient in (values["correspondence_email"], "office@example.org"):
            Mail.objects.create(recipient=recipient, subject=f"{reference} was received", body=f"Received:\n{listed}\n")
        return row
