/** Writes `edition.toml` and its posters into `folder`; returns the path of the seed file. */
export function manyFilms(folder: string, films: number, categories: number): string;
