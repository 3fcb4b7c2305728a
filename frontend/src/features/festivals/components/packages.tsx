import { Load, type Package, useApi } from '@/shared/api';
import { Each, When } from '@/shared/template';
import { altOf, Picture } from '@/shared/ui/picture';
import styles from './packages.module.css';

/** The film packages of a sister festival with what is in them; nothing while there are none. */
export function Packages({ of: festival }: { of: string }) {
  const packages = useApi<Package[]>(`/packages/${festival}/`);
  return (
    <Load of={packages}>
      {(packages) => (
        <section className={styles.packages} aria-labelledby="packages-title">
          <h2 id="packages-title">Film packages</h2>
          <PackageList packages={packages} />
        </section>
      )}
    </Load>
  );
}

/** What the packages are, and on request which films are in them. */
export function PackageList({ packages }: { packages: Package[] }) {
  return (
    <ol className={styles.list}>
      <Each of={packages} as="package">
        {(one) => (
          <li className={styles.package}>
            <When value={one.image}>{(image) => <Picture src={image} alt={altOf(one, 'image')} shape="still" />}</When>
            <h3 className={styles.title}>{one.title}</h3>
            <When value={one.extent_text}>{(extent) => <p className={styles.extent}>{extent}</p>}</When>
            <When value={one.description}>{(text) => <p className={styles.text}>{text}</p>}</When>
            <When value={one.films}>
              <details className={styles.films}>
                <summary>
                  The films<span data-unseen> of {one.title}</span>
                </summary>
                <ul>
                  <Each of={one.films} as="film">
                    {(film) => <li>{film}</li>}
                  </Each>
                </ul>
              </details>
            </When>
          </li>
        )}
      </Each>
    </ol>
  );
}
