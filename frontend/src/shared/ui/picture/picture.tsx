import { When } from '@/shared/template';
import styles from './picture.module.css';
import { atWidth, everyWidth, sizes } from './widths';

interface PictureProps {
  src: string | null;
  /** Empty where the text beside it says the same. */
  alt: string;
  /** The shape that is kept free while the picture loads. */
  shape: 'poster' | 'still' | 'square' | 'portrait' | 'logo';
  /** How wide it stands in the page. */
  across?: keyof typeof sizes;
  /** What stands in its place where there is none. */
  missing?: string;
  className?: string;
}

const shapes = {
  poster: [720, 1080],
  still: [1280, 720],
  square: [1080, 1080],
  portrait: [800, 1000],
  logo: [400, 200],
} as const;

/** A picture of the data, or a placeholder where there is none. */
export function Picture({ src, alt, shape, across = 'column', missing = '', className = '' }: PictureProps) {
  const [width, height] = shapes[shape];
  const placeholder = (
    <span className={`${styles.missing} ${className}`} data-shape={shape}>
      {missing}
    </span>
  );
  return (
    <When value={src} otherwise={placeholder}>
      {(src) => (
        <img
          src={atWidth(src, 720)}
          srcSet={everyWidth(src)}
          sizes={sizes[across]}
          alt={alt}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          className={`${styles.picture} ${className}`}
          data-shape={shape}
        />
      )}
    </When>
  );
}
