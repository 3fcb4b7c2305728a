import { type Picture as Tile, useApi } from '@/shared/api';
import { Section } from '@/shared/ui/section';
import { PictureTile } from './picture-tile';
import styles from './tile.module.css';

/** The screening schedule: a tile for each sheet. */
export function Schedule() {
  const tiles = useApi<Tile[]>('/screening-schedule/');
  if (tiles.status !== 'loaded') return null;
  return (
    <Section id="screening-schedule" title="SCREENING SCHEDULE" malayalam="പ്രദർശനക്രമം" surface="lit" slant="left">
      <ul className={styles.grid}>
        {tiles.data.map((tile) => (
          <li key={tile.id}>
            <PictureTile tile={tile} shape="portrait" sizes="sheets" />
          </li>
        ))}
      </ul>
    </Section>
  );
}
