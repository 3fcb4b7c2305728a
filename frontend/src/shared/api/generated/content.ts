// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * A blog in the API.
 */
export type Blog = { id: number, title: string, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, 
/**
 * Sanitised HTML.
 */
content: string, 
/**
 * Time of publication, RFC 3339 with the offset of the festival's time zone.
 */
created_at: string, 
/**
 * Day of publication as text: "24 October 2025".
 */
created_at_text: string, 
/**
 * The beginning of the text, without formatting.
 */
excerpt: string, };
