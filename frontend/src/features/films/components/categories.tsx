import { type Category, useApi } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Button, Status } from '@/shared/ui/page';
import { Section } from '@/shared/ui/section';
import styles from './categories.module.css';

/** The competition's categories as a grid of tiles; a tile leads to the category's films. */
export function Categories() {
  const categories = useApi<Category[]>('/categories/');
  return (
    <Section
      id="categories"
      title="Competition Film Categories & Schedule"
      malayalam="മത്സരവിഭാഗങ്ങൾ"
      surface="lit"
      slant="right"
    >
      {categories.status === 'loading' && <Status>Loading categories...</Status>}
      {categories.status === 'error' && (
        <Status kind="error" onRetry={categories.retry}>
          Failed to load categories !!!
        </Status>
      )}
      {categories.status === 'empty' && <Status>No categories found</Status>}
      {categories.status === 'loaded' && (
        <>
          <ul className={styles.grid}>
            {categories.data.map((category) => (
              <li key={category.id}>
                <a href={`/films/${category.id}`} className={styles.tile}>
                  <span className={styles.pattern} aria-hidden="true" />
                  <span className={styles.name} lang={langOf(category.name)}>
                    {category.name}
                    {category.film_count ? (
                      <span className={styles.count} aria-hidden="true">
                        {category.film_count}
                      </span>
                    ) : null}
                  </span>
                </a>
              </li>
            ))}
          </ul>
          <Button href="/films" kind="quiet">
            All films
          </Button>
        </>
      )}
    </Section>
  );
}
