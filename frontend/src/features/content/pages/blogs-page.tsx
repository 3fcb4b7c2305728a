import { type Blog, Load, useApi, useSite } from '@/shared/api';
import { Each, Head } from '@/shared/template';
import { Page, Status } from '@/shared/ui/page';
import { BlogCard } from '../components/blog-card';
import styles from './blogs-page.module.css';

/** The list of blogs. Where it cannot be had, 'Loading...' stays, with a way to ask again. */
export default function BlogsPage() {
  const { product } = useSite();
  const blogs = useApi<Blog[]>('/blogs/');
  return (
    <Page title={<>{product.name} Blog</>} malayalam="ബ്ലോഗ്">
      <Head
        title={`${product.name} Blog`}
        description={`News, portraits and stories from the ${product.full_name}.`}
        feed={{ path: '/blogs/feed.xml', title: `${product.name} Blog` }}
        keywords={`${product.name}, ${product.full_name}, film festival, ${product.city}, blog`}
      />
      <Load
        of={blogs}
        loading={<Status>Loading...</Status>}
        error={<Status onRetry={blogs.retry}>Loading...</Status>}
        empty={<Status>No blogs Published !</Status>}
      >
        {(blogs) => (
          <ul className={styles.grid}>
            <Each of={blogs} as="blog">
              {(blog) => (
                <li>
                  <BlogCard blog={blog} />
                </li>
              )}
            </Each>
          </ul>
        )}
      </Load>
      <p className={styles.feed}>
        <a href="/blogs/feed.xml">Follow the blog in a feed reader (Atom)</a>
      </p>
    </Page>
  );
}
