import styles from './picture.module.css';

interface PictureProps {
  src: string | null;
  /** Empty where the text beside it says the same. */
  alt: string;
  /** The shape that is kept free while the picture loads. */
  shape: 'poster' | 'still' | 'square' | 'portrait' | 'logo';
  /** How wide it stands in the page. */
  sizes?: keyof typeof pictureSizes;
  /** What stands in its place where there is none. */
  missing?: string;
  /** It is in the first view: the browser asks for it at once. */
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

/** A picture of the data, or a placeholder where there is none. */
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
  // What loads late is measured by the browser itself, but not a logo, which makes its own width, nor what a phone shows
  // from edge to edge: it would take three dots for a pixel.
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
      // What is seen first is there with the frame that it belongs to; the others keep no frame waiting.
      decoding={eager ? 'sync' : 'async'}
      className={`${styles.picture} ${className}`}
      data-shape={shape}
    />
  ) : (
    placeholder
  );
}

/** The widths at which the server makes pictures; other ones it refuses. */
const WIDTHS = [240, 480, 720, 1080, 1600] as const;

/** The address of a picture of the data at one of these widths; a narrower picture comes as it is. */
export function atWidth(src: string, width: (typeof WIDTHS)[number]): string {
  return `${src}?w=${width}`;
}

/** A picture of the data at every width, for `srcset`; the browser takes the one that its window needs. */
export function everyWidth(src: string): string {
  return WIDTHS.map((width) => `${atWidth(src, width)} ${width}w`).join(', ');
}

/**
 * A part of the window, where one picture stands in a row. The sharpest phones have three dots for a pixel; nobody sees
 * more than two of them, and their bytes are paid for.
 */
function narrow(upTo: number, part: number): string {
  return `(max-width: ${upTo}px) and (min-resolution: 2.5dppx) ${Math.floor((part * 2) / 3)}vw, (max-width: ${upTo}px) ${part}vw`;
}

/** What has the whole width of a phone. */
const fromEdgeToEdge: (keyof typeof pictureSizes)[] = ['films', 'posters', 'three', 'two'];

/**
 * How much of the window a picture takes, for `sizes`. Browsers that measure it themselves (`auto`, below the first view)
 * have no use for it. A page's margins take nine hundredths of a phone.
 */
export const pictureSizes = {
  /** The film carousels: 4, 3, and 1, whose poster is half of the window unless that is a phone's, all of whose width it has. */
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
  /** The poster beside what is said of a film. */
  detail: `${narrow(640, 83)}, (max-width: 1440px) 34vw, 26rem`,
  /** A column of cards, one of them on a phone. */
  column: `${narrow(640, 91)}, 27rem`,
  /** A portrait that takes turns with others: as wide as a column of text. */
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
