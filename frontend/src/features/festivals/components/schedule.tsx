import { Load, type Picture as Tile, useApi } from '@/shared/api';
import { Each } from '@/shared/template';
import { Section } from '@/shared/ui/section';
import { PictureTile } from './picture-tile';
import styles from './tile.module.css';

/** The screening schedule: a tile for each sheet. */
export function Schedule() {
  const tiles = useApi<Tile[]>('/screening-schedule/');
  return (
    <Load of={tiles}>
      {(tiles) => (
        <Section id="screening-schedule" title="SCREENING SCHEDULE" malayalam="പ്രദർശനക്രമം" ground="lit" slant="left">
          <ul className={styles.grid}>
            <Each of={tiles} as="tile">
              {(tile) => (
                <li>
                  <PictureTile tile={tile} shape="portrait" across="column" />
                </li>
              )}
            </Each>
          </ul>
        </Section>
      )}
    </Load>
  );
}
