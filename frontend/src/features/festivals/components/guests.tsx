import { type Guest, useApi } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import { Rotator } from '@/shared/ui/rotator';
import { Section } from '@/shared/ui/section';
import styles from './portraits.module.css';

/** The guests' portraits, one after the other. */
export function Guests() {
  const guests = useApi<Guest[]>('/guests/');
  if (guests.status !== 'loaded') return null;
  return (
    <Section id="guests" title="Guests" malayalam="അതിഥികൾ">
      <Rotator of={guests.data} label="Guests">
        {(guest) => (
          <figure className={styles.portrait}>
            <Picture src={guest.portrait} alt={guest.portrait_alt ?? ''} shape="portrait" sizes="portrait" />
            <figcaption className={styles.caption}>
              <strong className={styles.name} lang={langOf(guest.name)}>
                {guest.name}
              </strong>
              <span lang={langOf(guest.role)}>{guest.role}</span>
            </figcaption>
          </figure>
        )}
      </Rotator>
    </Section>
  );
}
