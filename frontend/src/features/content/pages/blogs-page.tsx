import { type Blog, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Appear, inTurn } from '@/shared/motion';
import { Page, Status } from '@/shared/ui/page';
import { BlogCard } from '../components/blog-card';
import styles from './blogs-page.module.css';

/** The list of blogs. If it cannot be loaded, nothing is listed; there is a button to try again. */
export default function BlogsPage() {
  const { product } = useSite();
  const blogs = useApi<Blog[]>('/blogs/');
  return (
    <Page title={`${product.name} Blog`} malayalam="ബ്ലോഗ്">
      <Head
        title={`${product.name} Blog`}
        description={`News, portraits and stories from the ${product.full_name}.`}
        feed={{ path: '/blogs/feed.xml', title: `${product.name} Blog` }}
        keywords={`${product.name}, ${product.full_name}, film festival, ${product.city ? `${product.city}, ` : ''}blog`}
      />
      {blogs.status === 'loading' && <Status>Loading...</Status>}
      {blogs.status === 'error' && <Status onRetry={blogs.retry} />}
      {blogs.status === 'empty' && <Status whole>No blogs Published !</Status>}
      {blogs.status === 'loaded' && (
        <>
          <ul className={styles.grid}>
            {blogs.data.map((blog, index) => (
              <Appear key={blog.id} as="li" pose={inTurn(index)}>
                <BlogCard blog={blog} eager={index === 0} />
              </Appear>
            ))}
          </ul>
          <p className={styles.feed}>
            <a href="/blogs/feed.xml">Follow the blog in a feed reader (Atom)</a>
          </p>
        </>
      )}
    </Page>
  );
}
