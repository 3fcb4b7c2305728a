import type { Site as SiteFacts } from './generated/site';
import type { Site } from './types';
import { useApi } from './use-api';

/** What stands where the organisers have not made an edition yet: nothing, as in the template. */
const noEdition = {
  year: '',
  ordinal: '',
  ordinal_text: '',
  name: '',
  starts_on: '',
  ends_on: '',
  dates_text: '',
  submission_deadline: '',
  submission_deadline_text: '',
  countdown_at: null,
} as unknown as Site['edition'];

/** Who the festival is; every page has it. */
export function useSite(): Site {
  const site = useApi<SiteFacts>('/site/').data;
  // While the template is printed it is a stand-in that is never null.
  return site.edition === null ? { ...site, edition: noEdition } : (site as Site);
}
