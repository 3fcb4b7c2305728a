import type { FormField } from '@/shared/api/generated/forms';

const emailName = /^[^\s<>()[\],;:\\"@.]([^\s<>()[\],;:\\"@]*[^\s<>()[\],;:\\"@.])?$/u;
const hostLabel = /^(?!-)[\p{Alphabetic}\p{N}-]+(?<!-)$/u;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at >= 1 &&
    at <= 64 &&
    text.length <= 254 &&
    emailName.test(text.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((label) => hostLabel.test(label))
  );
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return /^[\d+\- ()]{1,40}$/.test(text) && digits >= 6 && digits <= 20;
}

function isLink(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+\S*$/i.test(text) && text.length <= 2000;
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^[+-]?\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

/** Whether a text that is not empty is of the field's kind; the server judges by the same rules. */
export function fits(field: FormField, text: string): boolean {
  switch (field.kind) {
    case 'email':
      return isEmail(text);
    case 'phone':
      return isPhone(text);
    case 'link':
      return isLink(text);
    case 'integer':
      return isWhole(text, field.min ?? Number.MIN_SAFE_INTEGER, field.max ?? Number.MAX_SAFE_INTEGER);
    case 'year':
      return isWhole(text, field.min ?? 0, new Date().getFullYear() + 1);
    case 'choice':
      return field.choices.some((choice) => choice.key === text);
    default:
      return true;
  }
}
