import { readFile } from 'node:fs/promises';
import { type Download, expect, type Page } from '@playwright/test';
import decodeQR from 'qr/decode.js';

/** Decodes the QR code in a downloaded PNG from its pixels. */
export async function readCode(page: Page, saved: Download): Promise<string> {
  const png = await readFile(await saved.path());
  expect(png.subarray(1, 4).toString(), 'a PNG').toBe('PNG');
  const { width, height, pixels } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = picture;
    const canvas = new OffscreenCanvas(width, height).getContext('2d');
    if (!canvas) throw new Error('no canvas');
    canvas.drawImage(picture, 0, 0);
    // As a string: transferring an array of a million numbers takes half a minute.
    const { data } = canvas.getImageData(0, 0, width, height);
    let letters = '';
    for (let at = 0; at < data.length; at += 8192) letters += String.fromCharCode(...data.subarray(at, at + 8192));
    return { width, height, pixels: btoa(letters) };
  }, png.toString('base64'));
  return decodeQR({ width, height, data: new Uint8Array(Buffer.from(pixels, 'base64')) });
}

/** The parameters of a `upi://pay` URL. */
export function paymentOf(code: string): Record<string, string> {
  const { protocol, host, searchParams } = new URL(code);
  expect(`${protocol}//${host}`).toBe('upi://pay');
  return Object.fromEntries(searchParams);
}
