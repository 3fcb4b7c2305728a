import { useSite } from '@/shared/api';
import { Button } from '@/shared/ui/page';

/** The way to the programme while the festival is near. It is out when the menu leads there: until then it does not. */
export function ProgrammeCall() {
  const { edition, menu } = useSite();
  const isOut = menu.header.some(({ href, items }) => [href, ...items.map(({ href }) => href)].includes('/programme'));
  return edition.is_near && isOut ? <Button href="/programme">See the programme</Button> : null;
}
