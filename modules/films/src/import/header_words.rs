//! The words in headers of film lists that are not the name of a field. A new word is one entry here.

/// Headers of personal data as a whole, separated by commas.
pub(super) const PERSONAL: &str = "First Name, Last Name, Surname, Prénom, Vorname, Nachname, Nom de famille, Apellido, Gender, \
    Sexe, Age, City, State, Postal Code, Zip, Zip Code, Pin Code, PLZ, Biography, Submitter \
    Biography, Director Biography, Bio";

/// Words that make any header they stand in one of personal data.
pub(super) const PERSONAL_PARTS: &str = "email mail phone telephone telefon telefono mobile whatsapp fax address adresse birthdate \
    birthday birth dob passport aadhaar pan bank iban ifsc upi password submitter contact";

/// Words that say nothing about which field it is: `minute` is a unit, `printed` as in `runtime_as_printed`.
pub(super) const NOISE: &str = "of the de du la le del des der d in as printed standardized min minute mn hh h mm ss hms \
    minuten minuto";

/// Headers of titles that may name anything else, folded.
pub(super) const BARE_NAME: &str = "name nom nombre nome പേര";

/// What a title is called beside the name of a language.
pub(super) const TITLE: &str = "title titre titulo titel titolo name";

/// Languages that stand before or after "title"; English is the shown title instead.
pub(super) const LANGUAGES: &str = "arabic armenian assamese bangla basque bengali bhojpuri burmese cantonese catalan chinese \
    czech danish dogri dutch farsi finnish french galician georgian german greek gujarati hebrew \
    hindi hungarian indonesian italian japanese kannada kashmiri khasi khmer konkani korean \
    kurdish maithili malay malayalam mandarin manipuri marathi mizo mongolian native nepali \
    norwegian odia oriya persian polish portuguese punjabi romanian russian sanskrit santali \
    serbian sindhi sinhala spanish swahili swedish tamil telugu thai tibetan tulu turkish \
    ukrainian urdu vietnamese";

/// Codes of languages that stand after "title" (ISO 639-1); `en` and `eng` are read as [`ENGLISH`].
pub(super) const LANGUAGE_CODES: &str = "ar bg bn ca cs da de el es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko \
    ku lt lv mk ml mn mr ms my nb ne nl nn no or pa pl pt ro ru sa sd si sk sl sq sr sv sw ta te th tr uk ur uz vi zh";

/// The language of the shown title, of synopses and all other texts.
pub(super) const ENGLISH: &str = "english";
