import styles from './picture.module.css';

interface PictureProps {
  src: string | null;
  /** Empty if the text next to it says the same. */
  alt: string;
  /** Aspect ratio of the space that is reserved while the picture loads. */
  shape: 'poster' | 'still' | 'square' | 'portrait' | 'logo';
  /** Width in the page, for `sizes`. */
  sizes?: keyof typeof pictureSizes;
  /** Replaces a missing picture. */
  missing?: string;
  /** Whether it is in the first view: the browser loads it at once. */
  eager?: boolean;
  className?: string;
}

const shapes = {
  poster: [720, 1080],
  still: [1280, 720],
  square: [1080, 1080],
  portrait: [800, 1000],
  logo: [400, 200],
} as const;

/** A picture from the data, or a placeholder if there is none. */
export function Picture({
  src,
  alt,
  shape,
  sizes = 'column',
  missing = '',
  eager = false,
  className = '',
}: PictureProps) {
  const [width, height] = shapes[shape];
  // The browser itself measures lazy pictures (`auto`), except logos, which determine their own width, and pictures as
  // wide as a phone: for these it would load three device pixels per CSS pixel.
  const measured = !eager && shape !== 'logo' && !fromEdgeToEdge.includes(sizes);
  const placeholder = (
    <span className={`${styles.missing} ${className}`} data-shape={shape}>
      {missing}
    </span>
  );
  return src ? (
    <img
      src={atWidth(src, 720)}
      srcSet={everyWidth(src)}
      sizes={measured ? `auto, ${pictureSizes[sizes]}` : pictureSizes[sizes]}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      // Pictures of the first view are decoded with their frame; others must not delay a frame.
      decoding={eager ? 'sync' : 'async'}
      className={`${styles.picture} ${className}`}
      data-shape={shape}
    />
  ) : (
    placeholder
  );
}

/** The widths in which the server offers pictures; it refuses others. */
const WIDTHS = [240, 480, 720, 1080, 1600] as const;

/** The address of a picture from the data at one of these widths; a narrower picture is sent as it is. */
export function atWidth(src: string, width: (typeof WIDTHS)[number]): string {
  return `${src}?w=${width}`;
}

/** A picture from the data at every width, for `srcset`; the browser chooses the one that its window needs. */
export function everyWidth(src: string): string {
  return WIDTHS.map((width) => `${atWidth(src, width)} ${width}w`).join(', ');
}

/**
 * A fraction of the window, for one picture per row. The sharpest phones have three device pixels per CSS pixel; nobody
 * sees more than two of them, and visitors pay for the bytes.
 */
function narrow(upTo: number, part: number): string {
  return `(max-width: ${upTo}px) and (min-resolution: 2.5dppx) ${Math.floor((part * 2) / 3)}vw, (max-width: ${upTo}px) ${part}vw`;
}

/** Pictures as wide as a phone. */
const fromEdgeToEdge: (keyof typeof pictureSizes)[] = ['films', 'posters', 'three', 'two'];

/**
 * The share of the window that a picture takes, for `sizes`. Browsers that measure it themselves (`auto`, below the
 * first view) ignore it. A page's margins are nine hundredths of a phone.
 */
export const pictureSizes = {
  /** The film carousels: 4, 3, and 1, whose poster is half as wide as the window, but as wide as a phone. */
  films: `${narrow(480, 99)}, ${narrow(768, 50)}, (max-width: 1024px) 34vw, 25vw`,
  /** The posters: 4, 3, 2, 1. */
  posters: `${narrow(480, 99)}, ${narrow(768, 50)}, (max-width: 1024px) 34vw, 25vw`,
  /** 3, and 1 from edge to edge. */
  three: `${narrow(768, 99)}, 34vw`,
  /** 2, and 1 from edge to edge. */
  two: `${narrow(768, 99)}, 50vw`,
  /** A grid of cards, as many in a row as there is room for: two on a phone, five in the widest window. */
  grid: `${narrow(640, 45)}, (max-width: 1200px) 31vw, (max-width: 1480px) 23vw, 20rem`,
  /** A grid of portraits: two on a phone, five. */
  people: `${narrow(640, 45)}, 18vw`,
  /** The poster next to a film's details. */
  detail: `${narrow(640, 83)}, (max-width: 1440px) 34vw, 26rem`,
  /** A column of cards, one of them on a phone. */
  column: `${narrow(640, 91)}, 27rem`,
  /** The sheets of the schedule: two on a phone. */
  sheets: `${narrow(480, 45)}, 27rem`,
  /** A portrait in a rotation: as wide as a column of text. */
  portrait: `${narrow(480, 91)}, 27rem`,
  /** Half of the page, whole on a phone. */
  half: `${narrow(640, 83)}, 44vw`,
  /** Up to two thirds of the page, whole on a phone. */
  wide: `${narrow(640, 91)}, 58vw`,
  /** A logo. */
  mark: '11rem',
  /** The first picture of the home page, on a phone. */
  first: narrow(768, 99),
  /** As wide as the page. */
  page: `${narrow(768, 91)}, (max-width: 1600px) 93vw, 1500px`,
} as const;
