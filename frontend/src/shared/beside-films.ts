import type { Feature } from './feature';

/** The features, some of which show something beside films; the application fills it. */
export const besideFilms: Feature[] = [];
