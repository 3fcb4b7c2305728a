import type { ReactNode } from 'react';
import { type ApiState, type PageText, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { langOf } from '@/shared/lang';
import { atWidth, everyWidth, pictureSizes } from '../picture';
import { Page } from './page';
import { PageMedia } from './page-media';
import { Prose } from './prose';
import { Status } from './status';
import styles from './text-page.module.css';

interface TextPageProps {
  slug: string;
  /** Title of the page without its text. */
  title: string;
  /** The page has enough other content: no message if the text is missing. */
  complete?: boolean;
  children?: ReactNode;
}

/** Says that a page has no text: it has not been written, or could not be loaded. */
function MissingText({ text }: { text: ApiState<PageText> }) {
  return text.missing ? (
    <Status whole>Nothing has been published here yet.</Status>
  ) : (
    <Status onRetry={text.retry}>This text is not available at the moment.</Status>
  );
}

/** A page whose text organisers write: title, lead, picture, text, and the page's own content. */
export function TextPage({ slug, title, complete = false, children }: TextPageProps) {
  const { product, edition } = useSite();
  const text = useApi<PageText>(`/pages/${slug}/`);
  const { data } = text;
  const loading = text.status === 'loading';
  return (
    <Page
      // The page replaces its loading text, so that neither moves the other.
      key={loading ? 'loading' : 'shown'}
      title={data?.title || title}
      lang={langOf(data?.title)}
      malayalam={data?.malayalam}
      lead={data?.lead && <span lang={langOf(data.lead)}>{data.lead}</span>}
    >
      <Head
        title={`${data?.title || title} · ${product.name} ${edition.year}`}
        description={data?.lead || [product.full_name, edition.dates_text].filter(Boolean).join(', ')}
        image={data?.image ?? null}
      />
      {text.status === 'loading' && <Status>Loading...</Status>}
      {text.status === 'error' && !complete && <MissingText text={text} />}
      {text.status === 'loaded' && (
        <>
          {text.data.image && (
            <img
              src={atWidth(text.data.image, 1600)}
              srcSet={everyWidth(text.data.image)}
              sizes={pictureSizes.page}
              alt={text.data.image_alt ?? ''}
              className={styles.image}
              fetchPriority="high"
              decoding="async"
            />
          )}
          {text.data.body && <Prose of={text.data.body} asideHeadings />}
          <PageMedia text={text.data} />
        </>
      )}
      {loading ? null : children}
    </Page>
  );
}
