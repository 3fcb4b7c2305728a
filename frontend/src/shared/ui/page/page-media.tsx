import type { PageText } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Carousel } from '../carousel';
import { Picture } from '../picture';
import styles from './page-media.module.css';

/** A page's film and its slider of pictures, if it has them. */
export function PageMedia({ text }: { text: PageText }) {
  return (
    <>
      {text.video && (
        <figure className={styles.film}>
          <Film video={text.video} poster={text.video_poster || undefined} />
          {text.video_text && (
            <figcaption className={styles.caption}>
              <strong>The film in words.</strong> {text.video_text}
            </figcaption>
          )}
        </figure>
      )}
      {text.pictures.length > 0 && (
        <div className={styles.pictures}>
          <Carousel of={text.pictures} label="Photographs" slides="three" delay={2000}>
            {(picture) => (
              <figure className={styles.picture}>
                <Picture
                  src={picture.image}
                  alt={picture.image_alt ?? ''}
                  shape="still"
                  sizes="three"
                  missing="No Image"
                />
                {picture.title && <figcaption lang={langOf(picture.title)}>{picture.title}</figcaption>}
              </figure>
            )}
          </Carousel>
        </div>
      )}
    </>
  );
}

function Film({ video, poster }: { video: string; poster?: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: the text of the film is below it
    <video src={video} poster={poster} controls preload="metadata" playsInline className={styles.video} />
  );
}
