// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * A picture of a page as the API says it.
 */
export type PagePicture = { id: number, title: string, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, };

/**
 * The text of a page as the API says it.
 */
export type PageText = { slug: string, title: string, 
/**
 * The title in Malayalam, not necessarily a translation.
 */
malayalam: string | null, 
/**
 * A sentence or two before the text.
 */
lead: string | null, 
/**
 * Sanitised HTML.
 */
body: string | null, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, 
/**
 * Address of the picture for narrow screens.
 */
image_small: string | null, 
/**
 * Address of the film.
 */
video: string | null, 
/**
 * Address of the still that stands before the film plays.
 */
video_poster: string | null, 
/**
 * The film in words, for those who do not see or hear it.
 */
video_text: string | null, 
/**
 * More pictures, for the page's slider.
 */
pictures: Array<PagePicture>, };
