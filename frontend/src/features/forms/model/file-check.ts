import { tooLarge } from '@/shared/api/form-problems';
import { files } from '@/shared/api/generated/form-checks';
import type { FormField } from '@/shared/api/generated/forms';
import { bytesText } from './amounts';

/** Why a file is refused: the text of the toast (empty for none), and the text at the field. */
interface Refusal {
  toast: string;
  message: string;
}

/** Kind of a file. */
interface FileKind {
  /** Name for people, with its article. */
  name: string;
  /** Empty for kinds that are never accepted. */
  mime: string;
}

/** Pixels above which a picture is not decoded whole to check it: that would take a phone too much memory. */
const MOST_PIXELS_DECODED = 20_000_000;

/** How long the browser may take to read a picture's size. */
const PATIENCE_MS = 3000;

/** The kind of a file by its first bytes, by the rules of the server; undefined if unknown. */
export function kindOf(head: Uint8Array): FileKind | undefined {
  const bytes = head.subarray(0, files.head);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const known = files.signatures.find((signature) => new RegExp(`^${signature.bytes}`).test(hex));
  if (known) return known;
  const text = String.fromCharCode(...bytes);
  const markup = files.texts.find(({ words }) => words.some((word) => text.toLowerCase().includes(word)));
  if (markup) return { name: markup.name, mime: '' };
  return text.includes(files.pdf_start) ? { name: 'a PDF', mime: 'application/pdf' } : undefined;
}

/** Whether these are the first bytes of an animated WebP, PNG or GIF. */
function isMoving(mime: string, head: Uint8Array): boolean {
  const text = String.fromCharCode(...head);
  if (mime === 'image/png') return text.includes('acTL');
  if (mime === 'image/gif') return text.includes('NETSCAPE2.0');
  return mime === 'image/webp' && text.startsWith('VP8X', 12) && ((head[20] ?? 0) & 2) !== 0;
}

/**
 * A copy of an accepted file, or why it is refused. The file on the device may change or be deleted before it is sent.
 */
export async function checkedCopy(field: FormField, file: File): Promise<File | Refusal> {
  try {
    const refusal = await refusalOf(field, file);
    return refusal ?? new File([await file.arrayBuffer()], file.name, { type: file.type });
  } catch {
    return { toast: '', message: `“${file.name}” could not be read. Please choose it again.` };
  }
}

/** Checks a file when it is chosen, by the same rules as the server. */
export async function refusalOf(field: FormField, file: File): Promise<Refusal | null> {
  if (file.size > field.max_bytes) {
    return {
      toast: tooLarge(field.name),
      message: `“${file.name}” has ${bytesText(file.size)}. Please choose a file of less than ${bytesText(field.max_bytes)}.`,
    };
  }
  const same = (message: string): Refusal => ({ toast: message, message });
  if (file.size === 0) return same(`“${file.name}” is empty. Please choose another file.`);
  const head = new Uint8Array(await file.slice(0, files.head).arrayBuffer());
  const { name, mime } = kindOf(head) ?? { name: '', mime: '' };
  if (!mime || !field.accept.split(',').includes(mime)) {
    const allowed = files.allowed.find(({ accept }) => accept === field.accept)?.words ?? field.accept;
    const other = name ? files.other_kind : files.unknown_kind;
    const sentence = mime === 'image/heic' ? files.heic : other;
    return same(sentence.replace('{name}', name).replace('{allowed}', allowed));
  }
  if (
    mime === 'application/pdf' &&
    !/ obj|%%EOF|startxref/.test(new TextDecoder('latin1').decode(await file.arrayBuffer()))
  )
    return same(files.unreadable_pdf);
  const picture = mime.startsWith('image/') ? await loaded(file) : undefined;
  // Old browsers show no WebP.
  if (picture === null && mime !== 'image/webp') return same(files.unreadable);
  if (picture && picture.naturalWidth * picture.naturalHeight > files.most_pixels) {
    const message = files.too_many_pixels
      .replace('{width}', String(picture.naturalWidth))
      .replace('{height}', String(picture.naturalHeight));
    return same(message.replace('{most}', String(Math.floor(files.most_pixels / 1_000_000))));
  }
  return null;
}

/**
 * A warning about an accepted picture that may not be what its sender thinks; empty if there is none. The server stores
 * pictures that it can decode in part, so this is not a refusal.
 */
export async function doubtAbout(file: File): Promise<string> {
  const head = new Uint8Array(await file.slice(0, files.head).arrayBuffer());
  const { mime } = kindOf(head) ?? { mime: '' };
  if (!mime.startsWith('image/')) return '';
  if (isMoving(mime, head)) return files.moving;
  const picture = await loaded(file);
  if (picture === undefined) return '';
  if (picture === null)
    return 'This picture cannot be shown here: it may be damaged. If it opens elsewhere, you can send it as it is.';
  if (picture.naturalWidth * picture.naturalHeight > MOST_PIXELS_DECODED || !globalThis.createImageBitmap) return '';
  try {
    (await createImageBitmap(file)).close();
    return '';
  } catch {
    return 'This picture may be damaged. You can send it as it is; the original is kept.';
  }
}

/** The picture as the browser loads it; null if it cannot display it, undefined if it cannot tell. */
async function loaded(file: File): Promise<HTMLImageElement | null | undefined> {
  if (!globalThis.Image || !URL.createObjectURL) return undefined;
  const address = URL.createObjectURL(file);
  const picture = new Image();
  const shown = await new Promise<boolean | undefined>((resolve) => {
    picture.onload = () => resolve(true);
    picture.onerror = () => resolve(false);
    // Does not wait for a browser that never finishes.
    setTimeout(resolve, PATIENCE_MS);
    picture.src = address;
  });
  URL.revokeObjectURL(address);
  return shown ? picture : shown === false ? null : undefined;
}
