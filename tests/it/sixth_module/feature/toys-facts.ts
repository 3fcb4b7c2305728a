import { type Site, useSite } from '@/shared/api';
import type { ToysFacts } from '@/shared/api/generated/toys';

/** The site's facts with those that the toys add; for what is shown only while the module is on. */
export function useToysFacts(): Site & ToysFacts {
  return useSite() as Site & ToysFacts;
}
