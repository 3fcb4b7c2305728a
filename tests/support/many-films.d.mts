/** Writes `edition.toml` and its posters into `folder`; answers the seed file's path. */
export function manyFilms(folder: string, films: number, categories: number): string;
