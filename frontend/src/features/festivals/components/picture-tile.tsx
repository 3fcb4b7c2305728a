import type { Picture as Tile } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { PictureButton } from '@/shared/ui/overlay';
import { Picture } from '@/shared/ui/picture';
import styles from './tile.module.css';

interface PictureTileProps {
  tile: Tile;
  shape: 'portrait' | 'square';
  sizes?: 'posters' | 'sheets';
}

/** A picture with a title that opens in full size. */
export function PictureTile({ tile, shape, sizes }: PictureTileProps) {
  return (
    <figure className={styles.tile}>
      {tile.image ? (
        <PictureButton image={tile.image} title={tile.title ?? ''}>
          <Picture
            src={tile.image}
            alt={tile.title ? `Enlarge: ${tile.title}` : 'Enlarge'}
            shape={shape}
            sizes={sizes}
          />
        </PictureButton>
      ) : (
        <Picture src={null} alt="" shape={shape} sizes={sizes} missing="No Image" />
      )}
      {tile.title && (
        <figcaption className={styles.title} lang={langOf(tile.title)}>
          {tile.title}
        </figcaption>
      )}
    </figure>
  );
}
