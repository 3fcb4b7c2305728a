import type { ReactNode } from 'react';
import { Load, type PageText, useApi, useSite } from '@/shared/api';
import { choose, Head, langOf, When } from '@/shared/template';
import { altOf, atWidth, everyWidth, sizes } from '../picture';
import { Page } from './page';
import { PageMedia } from './page-media';
import { Prose } from './prose';
import { Status } from './status';
import styles from './text-page.module.css';

interface TextPageProps {
  slug: string;
  /** What the page is called where its text is not there. */
  title: string;
  children?: ReactNode;
}

/** A page whose text organisers write: title, lead, picture, text, and what the page adds. */
export function TextPage({ slug, title, children }: TextPageProps) {
  const { product, edition } = useSite();
  const text = useApi<PageText>(`/pages/${slug}/`);
  const { data } = text;
  return (
    <Page
      title={
        <When value={data?.title} otherwise={title}>
          {(title) => title}
        </When>
      }
      lang={langOf(data?.title)}
      malayalam={data?.malayalam}
      lead={<When value={data?.lead}>{(lead) => <span lang={langOf(lead)}>{lead}</span>}</When>}
    >
      <Head
        title={`${choose(data?.title, `${data?.title}`, title)} · ${product.name} ${edition.year}`}
        description={choose(data?.lead, `${data?.lead}`, `${product.full_name}, ${edition.dates_text}`)}
        image={data?.image ?? null}
      />
      <Load
        of={text}
        loading={<Status>Loading...</Status>}
        error={<Status onRetry={text.retry}>This text is not available at the moment.</Status>}
      >
        {(text) => (
          <>
            <When value={text.image}>
              {(image) => (
                <img
                  src={atWidth(image, 1600)}
                  srcSet={everyWidth(image)}
                  sizes={sizes.page}
                  alt={altOf(text, 'image')}
                  className={styles.image}
                  loading="lazy"
                  decoding="async"
                />
              )}
            </When>
            <When value={text.body}>{(body) => <Prose of={body} beside />}</When>
            <PageMedia text={text} />
          </>
        )}
      </Load>
      {children}
    </Page>
  );
}
