import { type NextItem, useApi } from '@/shared/api';
import { langOf } from '@/shared/lang';
import styles from './next-up.module.css';

/** What runs now or begins soon, by the server's clock; nothing while the festival is far off or over. */
export function NextUp() {
  const items = useApi<NextItem[]>('/next/');
  if (items.status !== 'loaded') return null;
  return <NextTeaser item={items.data[0] as NextItem} />;
}

/** One item: what, when, where, and a link to it. */
export function NextTeaser({ item }: { item: NextItem }) {
  return (
    <section className={styles.next} aria-labelledby="next-title">
      <h2 id="next-title" className={styles.label}>
        Next event
      </h2>
      {item.href ? (
        <a href={item.href} className={styles.link}>
          <Words item={item} />
        </a>
      ) : (
        <Words item={item} />
      )}
    </section>
  );
}

function Words({ item }: { item: NextItem }) {
  return (
    <>
      <strong className={styles.title} lang={langOf(item.title)}>
        {item.title}
      </strong>
      <span className={styles.facts}>
        <time dateTime={item.starts_at}>{item.when_text}</time>
        {item.place && <span lang={langOf(item.place)}>{item.place}</span>}
      </span>
    </>
  );
}
