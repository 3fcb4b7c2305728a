"""The only address of the Django site."""

from django.urls import path

from submissions.views import FilmSubmissionView

urlpatterns = [path("api/changed/", FilmSubmissionView.as_view())]
