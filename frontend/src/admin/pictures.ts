/** The back office's page of pictures, as scripts read it and send to it. */

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

/** What a page says is wrong. */
export function problem(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const said = page.querySelector('#problems li') ?? page.querySelector('.flash[data-kind="problem"], main p');
  return said?.textContent?.trim() || 'The picture could not be sent. Please try again.';
}

/** The latest pictures that are there; none where they cannot be had. */
export async function latest(): Promise<Listed[]> {
  const answer = await fetch(HOME);
  return answer.ok ? listed(await answer.text()) : [];
}

/** Sends a picture and answers it as it is kept; throws what is wrong. `tell` hears how much is sent, 0 to 1. */
export function send(
  file: File,
  words: string,
  csrf: string,
  tell: (part: number) => void = () => {},
): Promise<Listed> {
  const form = new FormData();
  form.append('csrf', csrf);
  form.append('words', words);
  form.append('picture', file);
  const request = new XMLHttpRequest();
  request.open('POST', HOME);
  request.upload.addEventListener('progress', (event) => tell(event.loaded / Math.max(event.total, 1)));
  return new Promise((kept, failed) => {
    request.addEventListener('error', () => failed(new Error('The connection was interrupted. Please try again.')));
    request.addEventListener('load', () => {
      // The answer leads to the page, on which the new one stands first.
      const first = request.status === 200 ? listed(request.responseText)[0] : undefined;
      if (first) kept(first);
      else failed(new Error(problem(request.responseText)));
    });
    request.send(form);
  });
}
