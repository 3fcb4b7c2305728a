//! The words by which film lists call their columns. A new word is one entry here.
//!
//! Within a field the better name stands first: `Country of Origin` before `Country`, which may be a sender's.
//! Left out on purpose: `Dirección` (also an address), `Distribution` and `Production` (also companies).

use super::Field;

/// Per field the headers that mean it, best first, separated by commas; folded before they are compared.
pub(super) const FIELDS: &[(Field, &str)] = &[
    (
        Field::Name,
        "English Title, Title English, International Title, English Film Title, Film Title, \
         Title Film, Movie Title, Project Title, Title, Film Name, Movie Name, Name Film, Film, \
         Movie, Titre, Titre Film, Título, Título Película, Película, Titel, Filmtitel, Titolo, \
         Nom Film, Nom, Nombre, Nome, Name, Shirshak, Sheershak, Film Ka Naam, Chithram, \
         Cinemayude Peru, शीर्षक, फिल्म, फ़िल्म, फिल्म का नाम, फ़िल्म का नाम, चित्रपट, സിനിമ, \
         സിനിമയുടെ പേര്, ചിത്രം, പേര്",
    ),
    (
        Field::OriginalTitle,
        "Original Title, Title Original, Project Title (Original Language), Title (Original \
         Language), Original Language Title, Original Film Title, Original Name, Native Title, \
         Title Native, Local Title, Regional Title, Titre Original, Título Original, \
         Originaltitel, Titolo Originale, मूल शीर्षक",
    ),
    (
        Field::DirectorName,
        "Director, Director Name, Name Director, Directed By, Film Director, Director Film, \
         Direction, Réalisateur, Réalisatrice, Réalisateur trice, Réalisation, Réalisé par, \
         Dirigida por, Director a, Director Directora, Regie, Regisseur, Regisseurin, Regia, \
         Regista, Nirdeshak, Nirdeshan, Samvidhanam, Samvidhayakan, निर्देशक, निर्देशन, \
         दिग्दर्शक, സംവിധായകൻ, സംവിധാനം",
    ),
    (
        Field::Category,
        "Section, Festival Section, Section Name, Category, Category Name, Film Category, \
         Programme, Program, Programme Section, Strand, Sidebar, Selection, Submission Category, \
         Catégorie, Sélection, Sección, Categoría, Sektion, Kategorie, Reihe, Sezione, \
         Categoria, Vibhag, Vibhagam, विभाग, वर्ग, വിഭാഗം",
    ),
    (
        Field::Country,
        "Country of Origin, Country of Production, Production Country, Producing Country, \
         Country, Country Name, Nation, Pays d'origine, Pays Origine, Pays Production, Pays, \
         País Origen, País, País Producción, Produktionsland, Herkunftsland, Land, Länder, \
         Paese, Desh, Rajyam, देश, രാജ്യം",
    ),
    (
        Field::Year,
        "Year of Production, Production Year, Film Year, Year, Year of Release, Release Year, \
         Year Made, Année Production, Année, Année Sortie, Año Producción, Año, Produktionsjahr, \
         Jahr, Anno, Completion Year, Completion Date, Date of Completion, Release Date, Varsh, \
         Varsham, वर्ष, साल, വർഷം",
    ),
    (
        Field::DurationMinutes,
        "Duration, Film Duration, Running Time, Run Time, Film Length, Length, Minutes, Durée, \
         Duración, Minutos, Dauer, Länge, Laufzeit, Minuten, Durata, Avadhi, Dairghyam, अवधि, \
         ദൈർഘ്യം",
    ),
    (
        Field::Language,
        "Language, Film Language, Spoken Language, Language Spoken, Dialogue Language, Original \
         Language, Langue, Langue Originale, Idioma, Sprache, Originalsprache, Lingua, Bhasha, \
         भाषा, ഭാഷ",
    ),
    (
        Field::Synopsis,
        "Synopsis, Synopsis English, English Synopsis, Film Synopsis, Long Synopsis, Synopsis \
         Long, Short Synopsis, Synopsis Short, Summary, Plot, Story, Description, Film \
         Description, About Film, Logline, Log Line, Résumé, Sinopsis, Resumen, Inhalt, \
         Beschreibung, Inhaltsangabe, Sinossi, Kathasar, Kathasaram, कथासार, सारांश, കഥാസാരം",
    ),
    (
        Field::CastDetails,
        "Cast, Cast Details, Key Cast, Main Cast, Lead Cast, Cast Member, Starring, Actor, \
         Actors Actresses, Interprètes, Acteurs, Reparto, Elenco, Intérpretes, Besetzung, \
         Darsteller, Cast and Crew, Cast Crew, Kalakar, Abhinetakkal, कलाकार, അഭിനേതാക്കൾ",
    ),
    (
        Field::CrewDetails,
        "Crew, Crew Details, Key Crew, Main Crew, Technical Crew, Crew Member, Credits, Other \
         Credits, Équipe Technique, Equipo Técnico, Stab",
    ),
    (
        Field::WriterName,
        "Writer, Writer Name, Written By, Screenwriter, Screenplay, Screenplay By, Scriptwriter, \
         Script, Script Writer, Story By, Scénariste, Scénario, Guionista, Guion, Guión, \
         Drehbuch, Sceneggiatura, Lekhak, Thirakatha, लेखक, पटकथा, തിരക്കഥ, രചന",
    ),
    (
        Field::ProducerName,
        "Producer, Producer Name, Produced By, Film Producer, Producteur, Productrice, \
         Productor, Productora, Produzent, Produktion, Produttore, Nirmata, Nirmmathavu, \
         निर्माता, നിർമ്മാതാവ്, നിർമ്മാണം",
    ),
];

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
