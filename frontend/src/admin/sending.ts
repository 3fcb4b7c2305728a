/** Forms that a script sends, so that somebody sees how far it is. */

/** What a page says is wrong. */
export function problem(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const said = page.querySelector('#problems li') ?? page.querySelector('.flash[data-kind="problem"], main p');
  return said?.textContent?.trim() || 'The file could not be sent. Please try again.';
}

/** How a sending goes on: `tell` hears how much is sent, 0 to 1; `signal` ends it. */
export interface Progress {
  tell?: (part: number) => void;
  signal?: AbortSignal;
}

/** Sends `form` and answers the page that comes; throws what is wrong. */
export function post(address: string, form: FormData, { tell, signal }: Progress = {}): Promise<string> {
  const request = new XMLHttpRequest();
  request.open('POST', address);
  request.upload.addEventListener('progress', (event) => tell?.(event.loaded / Math.max(event.total, 1)));
  return new Promise((answered, failed) => {
    signal?.addEventListener('abort', () => {
      request.abort();
      failed(signal.reason);
    });
    request.addEventListener('error', () => failed(new Error('The connection was interrupted. Please try again.')));
    request.addEventListener('load', () => {
      if (request.status === 200) answered(request.responseText);
      else failed(new Error(problem(request.responseText)));
    });
    request.send(form);
  });
}
