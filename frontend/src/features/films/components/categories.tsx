import { type Category, Load, useApi } from '@/shared/api';
import { Each, langOf, When } from '@/shared/template';
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
      ground="lit"
      slant="right"
    >
      <Load
        of={categories}
        loading={<Status>Loading categories...</Status>}
        error={
          <Status kind="error" onRetry={categories.retry}>
            Failed to load categories !!!
          </Status>
        }
        empty={<Status>No categories found</Status>}
      >
        {(categories) => (
          <>
            <ul className={styles.grid}>
              <Each of={categories} as="category">
                {(category) => (
                  <li>
                    <a href={`/films/${category.id}`} className={styles.tile}>
                      <span className={styles.pattern} aria-hidden="true" />
                      <span className={styles.name} lang={langOf(category.name)}>
                        {category.name}
                        <When value={category.film_count}>
                          {(count) => (
                            <span className={styles.count} aria-hidden="true">
                              {count}
                            </span>
                          )}
                        </When>
                      </span>
                    </a>
                  </li>
                )}
              </Each>
            </ul>
            <Button href="/films" kind="quiet">
              All films
            </Button>
          </>
        )}
      </Load>
    </Section>
  );
}
