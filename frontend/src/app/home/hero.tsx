import { useRef } from 'react';
import { type PageText, useApi, useSite } from '@/shared/api';
import { Button } from '@/shared/ui/page';
import { atWidth, everyWidth, pictureSizes } from '@/shared/ui/picture';
import { Wordmark } from '@/shared/ui/wordmark';
import { Blocks, heroBlocks } from './blocks';
import { Countdown } from './countdown';
import styles from './hero.module.css';
import { HeroVideo } from './hero-video';
import { useScrollLink } from './use-scroll-link';

/**
 * The top of the home page: a beam with the name, the picture and a film; dates, place, what is next, countdown.
 */
export function Hero() {
  const { product, edition, menu } = useSite();
  const text = useApi<PageText>('/pages/home/').data;
  const wordmark = useRef<HTMLSpanElement>(null);
  useScrollLink(wordmark);
  return (
    <section className={styles.hero} data-first-view="" data-surface="night" aria-labelledby="hero-title">
      <div className={styles.stage}>
        {text?.image && (
          <picture className={styles.picture}>
            {text.image_small && (
              <source media="(max-width: 48rem)" srcSet={everyWidth(text.image_small)} sizes={pictureSizes.first} />
            )}
            <img
              src={atWidth(text.image, 1600)}
              alt={text.image_alt ?? ''}
              width="1600"
              height="900"
              fetchPriority="high"
              className={styles.image}
            />
          </picture>
        )}
        <HeroVideo source={text?.video} />
        <Wordmark ref={wordmark} className={styles.wordmark} />
      </div>
      <div className={styles.text}>
        {edition.ordinal_text && <p className={styles.edition}>{edition.ordinal_text} edition</p>}
        <h1 id="hero-title" className={styles.name}>
          {product.full_name}
        </h1>
        <p className={styles.facts}>
          {edition.dates_text && <time dateTime={edition.starts_on}>{edition.dates_text}</time>}
          <span>{`${product.city ? `${product.city}, ` : ''}${product.region}`}</span>
        </p>
      </div>
      <div className={styles.call} data-surface="lit">
        <div>
          <p className={styles.tagline}>{product.tagline}</p>
          <div className={styles.actions}>
            {menu.actions.map((action) => (
              <Button key={action.label} href={action.href}>
                {action.label}
              </Button>
            ))}
          </div>
        </div>
        <div className={styles.upcoming}>
          <Blocks of={heroBlocks} />
          <Countdown />
        </div>
      </div>
    </section>
  );
}
