import type { PageText } from '@/shared/api';
import { langOf, When } from '@/shared/template';
import { Carousel } from '../carousel';
import { altOf, Picture } from '../picture';
import styles from './page-media.module.css';

/** A page's film and its slider of pictures, where it has them. */
export function PageMedia({ text }: { text: PageText }) {
  return (
    <>
      <When value={text.video}>
        {(video) => (
          <figure className={styles.film}>
            <When value={text.video_poster} otherwise={<Film video={video} />}>
              {(poster) => <Film video={video} poster={poster} />}
            </When>
            <When value={text.video_text}>
              {(words) => (
                <figcaption className={styles.words}>
                  <strong>The film in words.</strong> {words}
                </figcaption>
              )}
            </When>
          </figure>
        )}
      </When>
      <When value={text.pictures}>
        <div className={styles.pictures}>
          <Carousel of={text.pictures} label="Photographs" slides="three" delay={2000}>
            {(picture) => (
              <figure className={styles.picture}>
                <Picture
                  src={picture.image}
                  alt={altOf(picture, 'image')}
                  shape="still"
                  across="three"
                  missing="No Image"
                />
                <When value={picture.title}>{(title) => <figcaption lang={langOf(title)}>{title}</figcaption>}</When>
              </figure>
            )}
          </Carousel>
        </div>
      </When>
    </>
  );
}

function Film({ video, poster }: { video: string; poster?: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: the film's words stand below it
    <video src={video} poster={poster} controls preload="metadata" playsInline className={styles.video} />
  );
}
