/** Client of the picture library: lists pictures and uploads new ones. */

import { errorMessage, post, type UploadOptions } from './sending';

const HOME = '/admin/pictures';

/** A picture of the library. */
export interface LibraryPicture {
  key: string;
  /** Alternative text. */
  alt: string;
}

/** Reads the pictures from the HTML of the library page. */
export function parseLibrary(html: string): LibraryPicture[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll<HTMLElement>('.pictures > li')].map(({ dataset }) => ({
    key: dataset.key ?? '',
    alt: dataset.alt ?? '',
  }));
}

/** Returns the latest pictures; none if they cannot be loaded. */
export async function latest(): Promise<LibraryPicture[]> {
  const response = await fetch(HOME);
  return response.ok ? parseLibrary(await response.text()) : [];
}

/** Uploads a picture and returns it as stored. Throws an `Error` with the message of the server. */
export async function uploadPicture(
  file: File,
  alt: string,
  csrf: string,
  options?: UploadOptions,
): Promise<LibraryPicture> {
  const form = new FormData();
  form.append('csrf', csrf);
  form.append('words', alt);
  form.append('picture', file);
  const page = await post(HOME, form, options);
  // The response redirects to the library, where the new picture comes first.
  const first = parseLibrary(page)[0];
  if (!first) throw new Error(errorMessage(page));
  return first;
}
