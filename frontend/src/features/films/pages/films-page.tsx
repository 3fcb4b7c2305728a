import { type Category, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { JumpBar } from '@/shared/ui/jump-bar';
import { Page, Status } from '@/shared/ui/page';
import { CategoryFilms } from '../components/category-films';
import styles from '../components/category-films.module.css';

/** Every category with its films. */
export default function FilmsPage() {
  const { product, edition } = useSite();
  const categories = useApi<Category[]>('/categories/');
  return (
    <>
      <Head
        title={`Films · ${product.name} ${edition.year}`}
        description={`The competition films of the ${edition.name}, category by category.`}
      />
      <Page title="Films" malayalam="ചിത്രങ്ങൾ" surface="night">
        {categories.status === 'loading' && <Status>Loading film data...</Status>}
        {categories.status === 'error' && (
          <Status kind="error" onRetry={categories.retry}>
            Failed to load categories !!!
          </Status>
        )}
        {categories.status === 'empty' && <Status whole>No categories found</Status>}
        {categories.status === 'loaded' && (
          <>
            <JumpBar
              label="Sections"
              places={categories.data.map(({ id, name, film_count }) => ({
                id: `category-${id}`,
                name,
                count: film_count,
              }))}
            />
            <div className={styles.categories}>
              {categories.data.map((category, index) => (
                <CategoryFilms key={category.id} category={category} first={index === 0} />
              ))}
            </div>
            <p>
              <a className={styles.all} href="/films/letterboxd.csv" download>
                List for Letterboxd
              </a>
            </p>
          </>
        )}
      </Page>
    </>
  );
}
