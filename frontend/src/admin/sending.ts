/** Submits forms by script, with progress. */

/** Reads the error message from the HTML of a page. */
export function errorMessage(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const message = page.querySelector('#problems li') ?? page.querySelector('.flash[data-kind="problem"], main p');
  return message?.textContent?.trim() || 'The file could not be uploaded. Try again.';
}

/** Options of an upload: `onProgress` gets the fraction that is uploaded, 0 to 1; `signal` aborts it. */
export interface UploadOptions {
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** Posts `form` and returns the HTML of the response. Rejects with the error message of the page. */
export function post(address: string, form: FormData, { onProgress, signal }: UploadOptions = {}): Promise<string> {
  const request = new XMLHttpRequest();
  request.open('POST', address);
  request.upload.addEventListener('progress', (event) => onProgress?.(event.loaded / Math.max(event.total, 1)));
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason);
    });
    request.addEventListener('error', () => reject(new Error('The connection was interrupted. Try again.')));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(request.responseText);
      else reject(new Error(errorMessage(request.responseText)));
    });
    request.send(form);
  });
}
