import type { Site as SiteFacts } from './generated/api';
import type { Site } from './types';
import { useApi } from './use-api';

/** Placeholder until the organisers have created an edition: the festival's own name, and nothing else. */
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

/** The site's facts, which every page has. */
export function useSite(): Site {
  const site = useApi<SiteFacts>('/site/').data as SiteFacts;
  return site.edition === null ? { ...site, edition: { ...noEdition, name: site.product.full_name } } : (site as Site);
}
