import type { Blog } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import styles from './blog-card.module.css';

interface BlogCardProps {
  blog: Blog;
  /** Its picture is in the first view. */
  eager?: boolean;
}

/** A blog in the list. */
export function BlogCard({ blog, eager }: BlogCardProps) {
  return (
    <article className={styles.card}>
      <Picture
        src={blog.image}
        alt={blog.image_alt ?? ''}
        shape="still"
        sizes="wide"
        missing="No Image"
        eager={eager}
      />
      <time dateTime={blog.created_at} className={styles.date}>
        {blog.created_at_text}
      </time>
      <h2 className={styles.title} lang={langOf(blog.title)}>
        {blog.title}
      </h2>
      <p className={styles.excerpt} lang={langOf(blog.excerpt)}>
        {blog.excerpt}
      </p>
      <a href={`/blog/${blog.id}`} className={styles.more}>
        Read More
        <span data-unseen lang={langOf(blog.title)}>
          : {blog.title}
        </span>
      </a>
    </article>
  );
}
