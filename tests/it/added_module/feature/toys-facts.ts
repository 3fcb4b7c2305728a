import { type Site, useSite } from '@/shared/api';
import type { ToysFacts } from '@/shared/api/generated/api';

/** The site's facts with those of the toys; only for content that is shown while the module is enabled. */
export function useToysFacts(): Site & ToysFacts {
  return useSite() as Site & ToysFacts;
}
