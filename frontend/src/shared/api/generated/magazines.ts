// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * A list: whole, or a page of it.
 */
export type Listed<T> = Array<T> | { 
/**
 * Elements on all pages.
 */
count: number, 
/**
 * Address of the next page.
 */
next: string | null, 
/**
 * Address of the previous page.
 */
previous: string | null, 
/**
 * The elements of this page.
 */
results: Array<T>, };

/**
 * An issue of the magazine in the API.
 */
export type Magazine = { id: number, name: string, 
/**
 * Volume.
 */
Vol: string | null, issue: string | null, 
/**
 * Address of the cover.
 */
image: string | null, 
/**
 * Alternative text of the cover.
 */
image_alt: string | null, 
/**
 * Address of the PDF.
 */
magazine: string | null, };
