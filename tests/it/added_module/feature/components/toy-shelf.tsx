import { useApi } from '@/shared/api';
import type { Toy } from '@/shared/api/generated/api';
import { Button } from '@/shared/ui/page';
import { Section } from '@/shared/ui/section';

/** The number of toys, and a link to them. */
export function ToyShelf() {
  const toys = useApi<Toy[]>('/toys/');
  if (toys.status !== 'loaded') return null;
  return (
    <Section id="toys" title="Toys" malayalam="കളിപ്പാട്ടങ്ങൾ">
      <Button href="/toys">{`See all toys: ${toys.data.length}`}</Button>
    </Section>
  );
}
