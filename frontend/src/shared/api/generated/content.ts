// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * A blog as the API says it.
 */
export type Blog = { id: number, title: string, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Sanitised HTML.
 */
content: string, 
/**
 * When it was published, RFC 3339 with the festival zone's offset.
 */
created_at: string, 
/**
 * When it was published, for people: "24 October 2025".
 */
created_at_text: string, 
/**
 * The first words, without formatting.
 */
excerpt: string, };
