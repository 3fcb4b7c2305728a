import { useSite } from '@/shared/api';
import { Button } from '@/shared/ui/page';

/**
 * Link to the programme while the festival is near. A link in the menu means that the programme has been released: it
 * is not displayed before.
 */
export function ProgrammeCall() {
  const { edition, menu } = useSite();
  const isOut = menu.header.some(({ href, items }) => [href, ...items.map(({ href }) => href)].includes('/programme'));
  return edition.is_near && isOut ? <Button href="/programme">See the programme</Button> : null;
}
