import { useApi, type WinnerGroup } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { TextPage } from '@/shared/ui/page/text-page';
import { Documents } from '../components/documents';
import { Programme } from '../components/programme';
import { Winner } from '../components/winner';
import styles from './ndsf-page.module.css';

/** The results of the national documentary and short film festival. */
export default function NdsfPage() {
  const groups = useApi<WinnerGroup[]>('/winners/');
  return (
    <TextPage slug="ndsf-2025" title="National Documentary and Short Film Festival">
      {groups.status === 'loaded' && (
        <div className={styles.groups}>
          {groups.data.map((group) => (
            <section key={group.award}>
              <h2 className={styles.award} lang={langOf(group.award)}>
                {group.award}
              </h2>
              <ul className={styles.winners}>
                {group.winners.map((winner) => (
                  <li key={winner.id}>
                    <Winner winner={winner} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      <Programme of="ndsf-2025" />
      <Documents on="/ndsf-2025" />
    </TextPage>
  );
}
