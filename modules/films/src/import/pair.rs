//! The film that a row of a list describes: a new one, a stored one, or perhaps one of several.

/// The film that a row describes. Films are given by their index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pair {
    /// A new film.
    New,
    /// A stored film.
    Stored(usize),
    /// Perhaps one of these films, the most likely first; never empty.
    Unsure { films: Vec<usize>, doubt: Doubt },
}

/// Why a row may be about a film, or why it may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The same film in another section.
    Moved,
    /// Another title, perhaps a correction.
    Retitled,
    /// The same title, but another year.
    OtherYear,
    /// The same title, but another director.
    OtherDirector,
    /// The id names a film of another title and director.
    OtherFilm,
    /// It may be more than one film.
    Ambiguous,
    /// Titles with nothing in common, but the same director, year and section.
    OtherTitle,
}
