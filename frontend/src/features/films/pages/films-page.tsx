import { type Category, Load, useApi, useSite } from '@/shared/api';
import { Each, Head } from '@/shared/template';
import { Page, Status } from '@/shared/ui/page';
import { CategoryFilms } from '../components/category-films';

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
      <Page title="Films" malayalam="ചിത്രങ്ങൾ" ground="night">
        <Load
          of={categories}
          loading={<Status>Loading film data...</Status>}
          error={
            <Status kind="error" onRetry={categories.retry}>
              Failed to load categories !!!
            </Status>
          }
          empty={<Status>No categories found</Status>}
        >
          {(categories) => (
            <Each of={categories} as="category">
              {(category) => <CategoryFilms category={category} />}
            </Each>
          )}
        </Load>
      </Page>
    </>
  );
}
