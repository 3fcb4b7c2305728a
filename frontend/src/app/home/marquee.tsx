import { useSite } from '@/shared/api';
import { useRotation } from '@/shared/motion';
import { When } from '@/shared/template';
import { PauseButton } from '@/shared/ui/pause-button';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './marquee.module.css';

/** The running banner: edition, dates, place, deadline. */
export function Marquee() {
  const hydrated = useHydrated();
  const rotation = useRotation(null, () => {});
  return (
    <aside
      data-ground="night"
      className={styles.marquee}
      aria-label="The festival in short"
      data-running={rotation.running || undefined}
      {...rotation.host}
    >
      <div className={styles.track}>
        <Words />
        {/* The second copy closes the loop; it is there for the eye alone. */}
        {hydrated ? (
          <div aria-hidden="true" inert className={styles.copy}>
            <Words />
          </div>
        ) : null}
      </div>
      <div className={styles.pause}>
        <PauseButton rotation={rotation} label="Banner" />
      </div>
    </aside>
  );
}

function Words() {
  const { product, edition } = useSite();
  return (
    <ul className={styles.words}>
      <li>{edition.name}</li>
      <li>{edition.dates_text}</li>
      <li>
        {product.city}, {product.region}, {product.country}
      </li>
      <When value={edition.submission_deadline_text}>{(deadline) => <li>Submissions until {deadline}</li>}</When>
    </ul>
  );
}
