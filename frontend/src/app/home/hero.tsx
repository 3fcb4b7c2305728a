import { type PageText, useApi, useSite } from '@/shared/api';
import { Each, When } from '@/shared/template';
import { Button } from '@/shared/ui/page';
import { altOf, atWidth } from '@/shared/ui/picture';
import { Wordmark } from '@/shared/ui/wordmark';
import { Countdown } from './countdown';
import styles from './hero.module.css';
import { HeroVideo } from './hero-video';

/** The top of the home page: a beam with the name, the picture and on wide windows a film in it; dates, place, countdown. */
export function Hero() {
  const { product, edition, menu } = useSite();
  const text = useApi<PageText | null>('/pages/home/').data;
  return (
    <section className={styles.hero} data-ground="night" aria-labelledby="hero-title">
      <div className={styles.stage}>
        <When value={text?.image}>
          {(image) => (
            <picture className={styles.picture}>
              <When value={text?.image_small}>
                {(small) => <source media="(max-width: 48rem)" srcSet={atWidth(small, 1080)} />}
              </When>
              <img
                src={atWidth(image, 1600)}
                alt={altOf(text, 'image')}
                width="1600"
                height="900"
                fetchPriority="high"
                className={styles.image}
              />
            </picture>
          )}
        </When>
        <HeroVideo source={text?.video} />
        <Wordmark className={styles.word} />
      </div>
      <div className={styles.words}>
        <When value={edition.ordinal_text}>
          <p className={styles.edition}>{edition.ordinal_text} edition</p>
        </When>
        <h1 id="hero-title" className={styles.name}>
          {product.full_name}
        </h1>
        <p className={styles.facts}>
          <time dateTime={edition.starts_on}>{edition.dates_text}</time>
          <span>
            {product.city}, {product.region}
          </span>
        </p>
      </div>
      <div className={styles.call} data-ground="lit">
        <div>
          <p className={styles.tagline}>{product.tagline}</p>
          <div className={styles.actions}>
            <Each of={menu.actions} as="action">
              {(action) => <Button href={action.href}>{action.label}</Button>}
            </Each>
          </div>
        </div>
        <Countdown />
      </div>
    </section>
  );
}
