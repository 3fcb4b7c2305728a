import type { Page } from './test.ts';

/** A PNG as WebP, a quarter as large. The browser encodes it. */
export async function webp(page: Page, png: Buffer): Promise<Buffer> {
  const bytes = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })).arrayBuffer())];
  }, png.toString('base64'));
  return Buffer.from(bytes);
}
