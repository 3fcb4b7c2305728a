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

/** How much of the window a picture takes, for `sizes`. */
export const sizes = {
  /** The film carousels: 4, 3, and 1, whose poster is half of the window unless that is a phone's. */
  films: `${narrow(480, 100)}, ${narrow(768, 50)}, (max-width: 1024px) 34vw, 25vw`,
  /** The posters: 4, 3, 2, 1. */
  posters: `${narrow(480, 100)}, ${narrow(768, 50)}, (max-width: 1024px) 34vw, 25vw`,
  /** 3, and 1. */
  three: `${narrow(768, 100)}, 34vw`,
  /** 2, and 1. */
  two: `${narrow(768, 100)}, 50vw`,
  /** A column of cards, one of them on a phone. */
  column: `${narrow(640, 100)}, 24rem`,
  /** A portrait that takes turns with others: as wide as a column of text. */
  portrait: `${narrow(768, 100)}, 27rem`,
  /** Half of the page, whole on a phone. */
  half: `${narrow(768, 100)}, 50vw`,
  /** Up to two thirds of the page, whole on a phone. */
  wide: `${narrow(960, 100)}, 66vw`,
  /** A logo. */
  mark: '12rem',
  /** As wide as the page. */
  page: `${narrow(768, 100)}, (max-width: 1600px) 100vw, 1600px`,
} as const;
