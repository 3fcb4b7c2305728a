import { useSite } from '@/shared/api';
import { useRotation } from '@/shared/motion';
import { PauseButton } from '@/shared/ui/pause-button';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './marquee.module.css';

/** The running banner: edition, dates, place, deadline; nothing before there is an edition. */
export function Marquee() {
  const { edition } = useSite();
  return edition.dates_text && <Banner />;
}

function Banner() {
  const hydrated = useHydrated();
  const rotation = useRotation(null, () => {});
  return (
    <aside
      data-surface="night"
      className={styles.marquee}
      aria-label="The festival in short"
      data-running={rotation.running || undefined}
      {...rotation.host}
    >
      <div className={styles.track}>
        <FestivalFacts />
        {/* The second copy closes the loop; it is hidden from screen readers. */}
        {hydrated ? (
          <div aria-hidden="true" inert className={styles.copy}>
            <FestivalFacts />
          </div>
        ) : null}
      </div>
      <div className={styles.pause}>
        <PauseButton rotation={rotation} label="Banner" />
      </div>
    </aside>
  );
}

function FestivalFacts() {
  const { product, edition } = useSite();
  return (
    <ul className={styles.list}>
      <li>{edition.name}</li>
      <li>{edition.dates_text}</li>
      <li>{`${product.city ? `${product.city}, ` : ''}${product.region}, ${product.country}`}</li>
      {edition.submission_deadline_text && <li>Submissions until {edition.submission_deadline_text}</li>}
    </ul>
  );
}
