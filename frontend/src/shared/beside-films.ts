import type { Feature } from './feature';

/** The features, some of which add information to films; filled by the application. */
export const besideFilms: Feature[] = [];
