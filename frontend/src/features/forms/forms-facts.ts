import { type Site, useSite } from '@/shared/api';
import type { FormsFacts } from '@/shared/api/generated/api';

/** The site's facts with those that the forms add; for content shown only while the module is on. */
export function useFormsFacts(): Site & FormsFacts {
  return useSite() as Site & FormsFacts;
}
