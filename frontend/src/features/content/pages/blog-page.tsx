import type { ReactNode } from 'react';
import { type Blog, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { langOf } from '@/shared/lang';
import { useRouteParams } from '@/shared/router';
import { Prose, Status } from '@/shared/ui/page';
import { atWidth, everyWidth, pictureSizes } from '@/shared/ui/picture';
import styles from './blog-page.module.css';

/** One blog. If it cannot be loaded, 'Loading...' stays, with a button to try again. */
export default function BlogPage() {
  const { product } = useSite();
  const { id } = useRouteParams();
  const state = useApi<Blog>(`/blog/${id}/`);
  const blog = state.data;
  return (
    <div data-surface="paper">
      <Head
        title={`${blog?.title ? `${blog.title} · ` : ''}${product.name} Blog`}
        description={blog?.excerpt || product.full_name}
        image={blog?.image ?? null}
        type="article"
        keywords={`${blog?.title ? `${blog.title}, ` : ''}${product.name}, ${product.full_name}, film festival, blog`}
        feed={{ path: '/blogs/feed.xml', title: `${product.name} Blog` }}
      />
      {state.status === 'loading' && (
        <Unread>
          <Status>Loading...</Status>
        </Unread>
      )}
      {state.status === 'error' && (
        <Unread>
          <Status onRetry={state.retry}>Loading...</Status>
        </Unread>
      )}
      {state.status === 'loaded' && (
        <article>
          <header className={styles.head} data-surface="lit">
            <div className={styles.inner}>
              <Back />
              <h1 className={styles.title} lang={langOf(state.data.title)}>
                {state.data.title}
              </h1>
              <time dateTime={state.data.created_at} className={styles.date}>
                {state.data.created_at_text}
              </time>
            </div>
          </header>
          <div className={styles.body} lang={langOf(state.data.excerpt)}>
            {state.data.image && (
              <img
                src={atWidth(state.data.image, 1600)}
                srcSet={everyWidth(state.data.image)}
                sizes={pictureSizes.page}
                alt={state.data.image_alt ?? ''}
                width="1280"
                height="800"
                className={styles.image}
              />
            )}
            <Prose of={state.data.content} asideHeadings />
          </div>
        </article>
      )}
    </div>
  );
}

/** The page while there is nothing to read. */
function Unread({ children }: { children: ReactNode }) {
  const { product } = useSite();
  return (
    <>
      <header className={styles.head} data-surface="lit">
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
