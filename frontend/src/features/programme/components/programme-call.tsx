import { type ProgrammeToday, useApi, useSite } from '@/shared/api';
import { Button } from '@/shared/ui/page';

/**
 * Link to the programme while the festival is near; on its days the programme opens at now. A link in the menu means
 * that the programme has been released: it is not displayed before.
 */
export function ProgrammeCall() {
  const { edition, menu } = useSite();
  const isOut = menu.header.some(({ href, items }) => [href, ...items.map(({ href }) => href)].includes('/programme'));
  const day = useApi<ProgrammeToday>('/programme/today/').data?.day;
  return edition.is_near && isOut ? (
    <Button href="/programme">See the programme{day && ': now and next'}</Button>
  ) : null;
}
