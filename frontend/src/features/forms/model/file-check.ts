import { type FormField, tooLarge } from '@/shared/api/generated/forms';
import { bytesText } from './amounts';

/** Why a file is not taken: what the toast says, and what stands at the field. */
export interface Refusal {
  toast: string;
  message: string;
}

/** How many of a file's first bytes tell what it is. */
const HEAD = 1024;

/** What a file is, by its first bytes; empty: nothing that we know. */
export function typeOf(head: Uint8Array): string {
  const text = String.fromCharCode(...head.subarray(0, HEAD));
  if (text.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  if (text.slice(4, 8) === 'ftyp') return /^(avif|avis)$/.test(text.slice(8, 12)) ? 'image/avif' : 'image/heic';
  return text.includes('%PDF-') ? 'application/pdf' : '';
}

const names: Record<string, string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'application/pdf': 'PDF',
};

/** Judges a file when it is chosen: its size, then what its bytes say it is; the server judges again. */
export async function refusalOf(field: FormField, file: File): Promise<Refusal | null> {
  if (file.size > field.max_bytes) {
    const limit = bytesText(field.max_bytes);
    return {
      toast: tooLarge(field.name),
      message: `“${file.name}” has ${bytesText(file.size)}. Please choose a file of at most ${limit}.`,
    };
  }
  const same = (message: string): Refusal => ({ toast: message, message });
  if (file.size === 0) return same(`“${file.name}” is empty. Please choose another file.`);
  const type = typeOf(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()));
  const accepted = field.accept.split(',');
  if (type && accepted.includes(type)) return null;
  const extension = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  if (type === 'image/heic' || (type === '' && ['heic', 'heif'].includes(extension))) {
    return same(
      `“${file.name}” is a HEIC picture. Save it as JPEG, or take it anew with the camera set to “Most Compatible”.`,
    );
  }
  return same(
    `“${file.name}” cannot be used here. Allowed: ${accepted.map((kind) => names[kind] ?? kind).join(', ')}.`,
  );
}
