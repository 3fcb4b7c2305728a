import { type Package, useApi } from '@/shared/api';
import { Picture } from '@/shared/ui/picture';
import styles from './packages.module.css';

/** The film packages of a sister festival with their films; nothing while there are none. */
export function Packages({ of: festival }: { of: string }) {
  const packages = useApi<Package[]>(`/packages/${festival}/`);
  if (packages.status !== 'loaded') return null;
  return (
    <section className={styles.packages} aria-labelledby="packages-title">
      <h2 id="packages-title">Film packages</h2>
      <PackageList packages={packages.data} />
    </section>
  );
}

/** The packages, and in a disclosure their films. */
export function PackageList({ packages }: { packages: Package[] }) {
  return (
    <ol className={styles.list}>
      {packages.map((one) => (
        <li key={one.id} className={styles.item}>
          {one.image && <Picture src={one.image} alt={one.image_alt ?? ''} shape="still" />}
          <h3 className={styles.title}>{one.title}</h3>
          {one.extent_text && <p className={styles.extent}>{one.extent_text}</p>}
          {one.description && <p className={styles.text}>{one.description}</p>}
          {one.films.length > 0 && (
            <details className={styles.films}>
              <summary>
                The films<span data-unseen> of {one.title}</span>
              </summary>
              <ul>
                {one.films.map((film) => (
                  <li key={film}>{film}</li>
                ))}
              </ul>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
