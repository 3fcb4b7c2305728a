/** The back office's page of pictures, as scripts read it and send to it. */

import { type Progress, post, problem } from './sending';

const HOME = '/admin/pictures';

/** A picture that is there. */
export interface Listed {
  key: string;
  /** What is to be seen on it. */
  words: string;
}

/** The pictures of the page. */
export function listed(html: string): Listed[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll<HTMLElement>('.pictures > li')].map(({ dataset }) => ({
    key: dataset.key ?? '',
    words: dataset.words ?? '',
  }));
}

/** The latest pictures that are there; none where they cannot be had. */
export async function latest(): Promise<Listed[]> {
  const answer = await fetch(HOME);
  return answer.ok ? listed(await answer.text()) : [];
}

/** Sends a picture and answers it as it is kept; throws what is wrong. */
export async function send(file: File, words: string, csrf: string, progress?: Progress): Promise<Listed> {
  const form = new FormData();
  form.append('csrf', csrf);
  form.append('words', words);
  form.append('picture', file);
  const page = await post(HOME, form, progress);
  // The answer leads to the page, on which the new one stands first.
  const first = listed(page)[0];
  if (!first) throw new Error(problem(page));
  return first;
}
