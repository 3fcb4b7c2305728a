import type { ReactNode } from 'react';
import { type Blog, Load, useApi, useSite } from '@/shared/api';
import { choose, Head, langOf, useRouteParams, When } from '@/shared/template';
import { Prose, Status } from '@/shared/ui/page';
import { altOf, atWidth, everyWidth, sizes } from '@/shared/ui/picture';
import styles from './blog-page.module.css';

/** One blog. Where it cannot be had, 'Loading...' stays, with a way to ask again. */
export default function BlogPage() {
  const { product } = useSite();
  const { id } = useRouteParams();
  const state = useApi<Blog | null>(`/blog/${id}/`);
  const blog = state.data;
  return (
    <div data-ground="paper">
      <Head
        title={choose(blog?.title, `${blog?.title} · ${product.name} Blog`, `${product.name} Blog`)}
        description={choose(blog?.excerpt, `${blog?.excerpt}`, `${product.full_name}`)}
        image={blog?.image ?? null}
        type="article"
        feed={{ path: '/blogs/feed.xml', title: `${product.name} Blog` }}
      />
      <Load
        of={state}
        loading={
          <Unread>
            <Status>Loading...</Status>
          </Unread>
        }
        error={
          <Unread>
            <Status onRetry={state.retry}>Loading...</Status>
          </Unread>
        }
      >
        {(blog) => (
          <article>
            <header className={styles.head} data-ground="lit">
              <div className={styles.inner}>
                <Back />
                <h1 className={styles.title} lang={langOf(blog.title)}>
                  {blog.title}
                </h1>
                <time dateTime={blog.created_at} className={styles.date}>
                  {blog.created_at_text}
                </time>
              </div>
            </header>
            <div className={styles.body} lang={langOf(blog.excerpt)}>
              <When value={blog.image}>
                {(image) => (
                  <img
                    src={atWidth(image, 1600)}
                    srcSet={everyWidth(image)}
                    sizes={sizes.page}
                    alt={altOf(blog, 'image')}
                    width="1280"
                    height="800"
                    className={styles.image}
                  />
                )}
              </When>
              <Prose of={blog.content} beside />
            </div>
          </article>
        )}
      </Load>
    </div>
  );
}

/** The page while there is nothing to read. */
function Unread({ children }: { children: ReactNode }) {
  const { product } = useSite();
  return (
    <>
      <header className={styles.head} data-ground="lit">
        <div className={styles.inner}>
          <Back />
          <h1 className={styles.title}>{product.name} Blog</h1>
        </div>
      </header>
      <div className={styles.body}>{children}</div>
    </>
  );
}

function Back() {
  return (
    <a href="/blogs" className={styles.back}>
      Back to the blog
    </a>
  );
}
