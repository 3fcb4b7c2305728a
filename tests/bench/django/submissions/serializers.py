"""The validation of the form."""

from rest_framework import serializers

from .models import FILES, OPTIONAL, TEXTS

LARGEST = 5 * 1024 * 1024
KINDS = {
    "duration_minutes": lambda: serializers.IntegerField(min_value=1, max_value=1000),
    "year_of_production": lambda: serializers.IntegerField(min_value=1880, max_value=2100),
    "subtitles": lambda: serializers.ChoiceField(["Yes", "No"]),
    "is_first_or_second_feature": lambda: serializers.ChoiceField(["First", "Second", "No", "Indian_Panorama"]),
    "screener_link": serializers.URLField,
    "stills_link": serializers.URLField,
}


def kind_of(name):
    if name in KINDS:
        return KINDS[name]()
    if name.endswith("email"):
        return serializers.EmailField()
    return serializers.CharField(allow_blank=name in OPTIONAL, required=name not in OPTIONAL, max_length=20_000)


class FilmSerializer(serializers.Serializer):
    """Texts and files, all required except those in OPTIONAL."""

    def get_fields(self):
        fields = {name: kind_of(name) for name in TEXTS}
        fields.update({name: serializers.FileField() for name in FILES})
        return fields

    def validate(self, values):
        for name in FILES:
            if values[name].size > LARGEST:
                raise serializers.ValidationError({name: f"{name} file must be less than 5MB"})
        return values
