// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * A category in the API.
 */
export type Category = { 
/**
 * Id; `/films/{id}` is its page.
 */
id: number, name: string, category_desc: string | null, 
/**
 * Name in addresses.
 */
slug: string, 
/**
 * Published films in it.
 */
film_count: number, };

/**
 * A film in the API.
 */
export type Film = { id: number, name: string, 
/**
 * Address of the poster.
 */
poster: string | null, 
/**
 * Alternative text of the poster.
 */
poster_alt: string | null, 
/**
 * The same as `director_name`.
 */
director: string | null, director_name: string | null, writer_name: string | null, producer_name: string | null, cast_details: string | null, crew_details: string | null, synopsis: string | null, year: number | null, country: string | null, 
/**
 * Address of the first still.
 */
still_one: string | null, 
/**
 * Alternative text of the first still.
 */
still_one_alt: string | null, 
/**
 * Address of the second still.
 */
still_two: string | null, 
/**
 * Alternative text of the second still.
 */
still_two_alt: string | null, category_name: string, category_desc: string | null, category_id: number, 
/**
 * The title in its own language and script.
 */
original_title: string | null, language: string | null, 
/**
 * Languages of the subtitles, separated by commas.
 */
subtitle_language: string | null, duration_minutes: number | null, 
/**
 * "1 h 32 min".
 */
duration_text: string | null, };

/**
 * A category's films by first letter.
 */
export type FilmIndex = { 
/**
 * The category.
 */
id: number, name: string, category_desc: string | null, 
/**
 * Films in the category.
 */
count: number, letters: Array<IndexLetter>, };

/**
 * A part of a category's films.
 */
export type FilmPart = { 
/**
 * Number of the part, from 1.
 */
number: number, 
/**
 * Number of the previous part.
 */
previous: number | null, 
/**
 * Number of the next part.
 */
next: number | null, 
/**
 * Films in all parts.
 */
count: number, films: Array<Film>, };

/**
 * The films under one letter.
 */
export type IndexLetter = { 
/**
 * "A", "0-9" for numbers and signs, or a letter of another script.
 */
letter: string, films: Array<IndexedFilm>, };

/**
 * A film in the index.
 */
export type IndexedFilm = { id: number, name: string, director_name: string | null, country: string | null, year: number | null, };

/**
 * A film of a selection list.
 */
export type SelectedFilm = { id: number, name: string, director: string | null, 
/**
 * Address of the poster.
 */
poster: string | null, };

/**
 * A selection list.
 */
export type Selection = { 
/**
 * The category.
 */
id: number, name: string, 
/**
 * All its films.
 */
count: number, 
/**
 * The first 40 of them.
 */
films: Array<SelectedFilm>, 
/**
 * A still of the first of them that has one.
 */
still: SelectionStill | null, };

/**
 * A still that stands for a selection.
 */
export type SelectionStill = { 
/**
 * Its film.
 */
film: number, 
/**
 * Its address.
 */
picture: string, 
/**
 * Its alternative text.
 */
alt: string | null, };
