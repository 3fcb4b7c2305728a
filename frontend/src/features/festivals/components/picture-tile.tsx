import type { Picture as Tile } from '@/shared/api';
import { choose, langOf, When } from '@/shared/template';
import { PictureButton } from '@/shared/ui/overlay';
import { Picture } from '@/shared/ui/picture';
import styles from './tile.module.css';

interface PictureTileProps {
  tile: Tile;
  shape: 'portrait' | 'square';
  across?: 'posters' | 'column';
}

/** A picture with a title that opens in full size. */
export function PictureTile({ tile, shape, across }: PictureTileProps) {
  return (
    <figure className={styles.tile}>
      <When
        value={tile.image}
        otherwise={<Picture src={null} alt="" shape={shape} across={across} missing="No Image" />}
      >
        {(image) => (
          <PictureButton image={image} title={tile.title ?? ''}>
            <Picture
              src={image}
              alt={choose(tile.title, `Enlarge: ${tile.title}`, 'Enlarge')}
              shape={shape}
              across={across}
            />
          </PictureButton>
        )}
      </When>
      <When value={tile.title}>
        {(title) => (
          <figcaption className={styles.title} lang={langOf(title)}>
            {title}
          </figcaption>
        )}
      </When>
    </figure>
  );
}
