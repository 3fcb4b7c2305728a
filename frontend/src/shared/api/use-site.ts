import type { Site as SiteFacts } from './generated/site';
import type { Site } from './types';
import { useApi } from './use-api';

/** What stands where the organisers have not made an edition yet: the festival's own name, and nothing else. */
const noEdition = {
  year: '',
  ordinal: '',
  ordinal_text: '',
  name: '',
  starts_on: '',
  ends_on: '',
  dates_text: '',
  is_near: false,
  submission_deadline: '',
  submission_deadline_text: '',
  countdown_at: null,
  countdown_text: null,
  countdown_at_text: null,
} as unknown as Site['edition'];

/** Who the festival is; every page has it. */
export function useSite(): Site {
  const site = useApi<SiteFacts>('/site/').data as SiteFacts;
  return site.edition === null ? { ...site, edition: { ...noEdition, name: site.product.full_name } } : (site as Site);
}
