//! The fields of a film that film lists fill: one table for imports and exports.

use super::{cells, country};

/// What film lists know of a field of a film.
pub(crate) struct ListField {
    /// The field of [`FILM`](crate::FILM), and its name in `--map`.
    pub(crate) name: &'static str,
    /// Header of its column in exports.
    pub(crate) header: &'static str,
    /// Width of that column in a workbook, in characters.
    pub(crate) width: u16,
    /// Brings a cleaned cell into the form that the field is stored in.
    pub(super) normalize: fn(&str) -> String,
    /// Headers that mean this field, the best first, separated by commas; compared by `headers::meaning`.
    pub(super) synonyms: &'static str,
}

// The fields that the import has rules of its own for.
pub(super) const NAME: &str = "name";
pub(super) const ORIGINAL_TITLE: &str = "original_title";
pub(super) const DIRECTOR: &str = "director_name";
pub(super) const CATEGORY: &str = "category";
pub(super) const COUNTRY: &str = "country";
pub(super) const YEAR: &str = "year";
pub(super) const DURATION: &str = "duration_minutes";
pub(super) const SYNOPSIS: &str = "synopsis";

/// Every field that a list can fill, in the order of the columns of exports.
///
/// Of two columns for one field the better synonym wins: `Country of Origin` stands before `Country`, which may be a
/// sender's. Left out on purpose: `Dirección` (also an address), `Distribution` and `Production` (also companies),
/// `Subtitles` (also yes or no).
pub(crate) const FIELDS: &[ListField] = &[
    ListField {
        name: NAME,
        header: "Title",
        width: 30,
        normalize: str::to_owned,
        synonyms: "English Title, Title English, International Title, English Film Title, Film Title, \
                   Title Film, Movie Title, Project Title, Title, Film Name, Movie Name, Name Film, Film, \
                   Movie, Titre, Titre Film, Título, Título Película, Película, Titel, Filmtitel, Titolo, \
                   Nom Film, Nom, Nombre, Nome, Name, Shirshak, Sheershak, Film Ka Naam, Chithram, \
                   Cinemayude Peru, शीर्षक, फिल्म, फ़िल्म, फिल्म का नाम, फ़िल्म का नाम, चित्रपट, സിനിമ, \
                   സിനിമയുടെ പേര്, ചിത്രം, പേര്",
    },
    ListField {
        name: ORIGINAL_TITLE,
        header: "Original title",
        width: 30,
        normalize: str::to_owned,
        synonyms: "Original Title, Title Original, Project Title (Original Language), Title (Original \
                   Language), Original Language Title, Original Film Title, Original Name, Native Title, \
                   Title Native, Local Title, Regional Title, Titre Original, Título Original, \
                   Originaltitel, Titolo Originale, मूल शीर्षक",
    },
    ListField {
        name: DIRECTOR,
        header: "Director",
        width: 26,
        normalize: cells::people,
        synonyms: "Director, Director Name, Name Director, Directed By, Film Director, Director Film, \
                   Direction, Réalisateur, Réalisatrice, Réalisateur trice, Réalisation, Réalisé par, \
                   Dirigida por, Director a, Director Directora, Regie, Regisseur, Regisseurin, Regia, \
                   Regista, Nirdeshak, Nirdeshan, Samvidhanam, Samvidhayakan, निर्देशक, निर्देशन, \
                   दिग्दर्शक, സംവിധായകൻ, സംവിധാനം",
    },
    ListField {
        name: CATEGORY,
        header: "Section",
        width: 22,
        normalize: cells::single_spaced,
        synonyms: "Section, Festival Section, Section Name, Category, Category Name, Film Category, \
                   Programme, Program, Programme Section, Strand, Sidebar, Selection, Submission Category, \
                   Catégorie, Sélection, Sección, Categoría, Sektion, Kategorie, Reihe, Sezione, \
                   Categoria, Vibhag, Vibhagam, विभाग, वर्ग, വിഭാഗം",
    },
    ListField {
        name: COUNTRY,
        header: "Country",
        width: 18,
        normalize: country::names,
        synonyms: "Country of Origin, Country of Production, Production Country, Producing Country, \
                   Country, Country Name, Nation, Pays d'origine, Pays Origine, Pays Production, Pays, \
                   País Origen, País, País Producción, Produktionsland, Herkunftsland, Land, Länder, \
                   Paese, Desh, Rajyam, देश, രാജ്യം",
    },
    ListField {
        name: YEAR,
        header: "Year",
        width: 8,
        normalize: cells::single_spaced,
        synonyms: "Year of Production, Production Year, Film Year, Year, Year of Release, Release Year, \
                   Year Made, Année Production, Année, Année Sortie, Año Producción, Año, Produktionsjahr, \
                   Jahr, Anno, Completion Year, Completion Date, Date of Completion, Release Date, Varsh, \
                   Varsham, वर्ष, साल, വർഷം",
    },
    ListField {
        name: DURATION,
        header: "Duration in minutes",
        width: 12,
        normalize: cells::single_spaced,
        synonyms: "Duration, Film Duration, Running Time, Run Time, Film Length, Length, Minutes, Durée, \
                   Duración, Minutos, Dauer, Länge, Laufzeit, Minuten, Durata, Avadhi, Dairghyam, अवधि, \
                   ദൈർഘ്യം",
    },
    ListField {
        name: "language",
        header: "Language",
        width: 18,
        normalize: cells::names,
        synonyms: "Language, Film Language, Spoken Language, Language Spoken, Dialogue Language, Original \
                   Language, Langue, Langue Originale, Idioma, Sprache, Originalsprache, Lingua, Bhasha, \
                   भाषा, ഭാഷ",
    },
    ListField {
        name: "subtitle_language",
        header: "Subtitle language",
        width: 18,
        normalize: cells::names,
        synonyms: "Subtitle Language, Language Subtitle, Subtitling Language, Subtitled In, Langue Sous-titres, \
                   Sous-titré en, Idioma Subtítulos, Subtitulado en, Untertitelsprache, Untertitel Sprache, \
                   Lingua Sottotitoli, उपशीर्षक भाषा, സബ്ടൈറ്റിൽ ഭാഷ",
    },
    ListField {
        name: SYNOPSIS,
        header: "Synopsis",
        width: 50,
        normalize: str::to_owned,
        synonyms: "Synopsis, Synopsis English, English Synopsis, Film Synopsis, Long Synopsis, Synopsis \
                   Long, Short Synopsis, Synopsis Short, Summary, Plot, Story, Description, Film \
                   Description, About Film, Logline, Log Line, Résumé, Sinopsis, Resumen, Inhalt, \
                   Beschreibung, Inhaltsangabe, Sinossi, Kathasar, Kathasaram, कथासार, सारांश, കഥാസാരം",
    },
    ListField {
        name: "cast_details",
        header: "Cast",
        width: 40,
        normalize: str::to_owned,
        synonyms: "Cast, Cast Details, Key Cast, Main Cast, Lead Cast, Cast Member, Starring, Actor, \
                   Actors Actresses, Interprètes, Acteurs, Reparto, Elenco, Intérpretes, Besetzung, \
                   Darsteller, Cast and Crew, Cast Crew, Kalakar, Abhinetakkal, कलाकार, അഭിനേതാക്കൾ",
    },
    ListField {
        name: "crew_details",
        header: "Crew",
        width: 40,
        normalize: str::to_owned,
        synonyms: "Crew, Crew Details, Key Crew, Main Crew, Technical Crew, Crew Member, Credits, Other \
                   Credits, Équipe Technique, Equipo Técnico, Stab",
    },
    ListField {
        name: "writer_name",
        header: "Writer",
        width: 26,
        normalize: cells::names,
        synonyms: "Writer, Writer Name, Written By, Screenwriter, Screenplay, Screenplay By, Scriptwriter, \
                   Script, Script Writer, Story By, Scénariste, Scénario, Guionista, Guion, Guión, \
                   Drehbuch, Sceneggiatura, Lekhak, Thirakatha, लेखक, पटकथा, തിരക്കഥ, രചന",
    },
    ListField {
        name: "producer_name",
        header: "Producer",
        width: 26,
        normalize: cells::names,
        synonyms: "Producer, Producer Name, Produced By, Film Producer, Producteur, Productrice, \
                   Productor, Productora, Produzent, Produktion, Produttore, Nirmata, Nirmmathavu, \
                   निर्माता, നിർമ്മാതാവ്, നിർമ്മാണം",
    },
];

/// The field called `name`.
pub(super) fn field(name: &str) -> Option<&'static ListField> {
    FIELDS.iter().find(|field| field.name == name)
}
