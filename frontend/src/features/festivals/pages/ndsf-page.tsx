import { Load, useApi, type WinnerGroup } from '@/shared/api';
import { Each, langOf } from '@/shared/template';
import { TextPage } from '@/shared/ui/page';
import { Documents } from '../components/documents';
import { Programme } from '../components/programme';
import { Winner } from '../components/winner';
import styles from './ndsf-page.module.css';

/** How the national documentary and short film festival ended. */
export default function NdsfPage() {
  const groups = useApi<WinnerGroup[]>('/winners/');
  return (
    <TextPage slug="ndsf-2025" title="National Documentary and Short Film Festival">
      <Load of={groups}>
        {(groups) => (
          <div className={styles.groups}>
            <Each of={groups} as="group">
              {(group) => (
                <section>
                  <h2 className={styles.award} lang={langOf(group.award)}>
                    {group.award}
                  </h2>
                  <ul className={styles.winners}>
                    <Each of={group.winners} as="winner">
                      {(winner) => (
                        <li>
                          <Winner winner={winner} />
                        </li>
                      )}
                    </Each>
                  </ul>
                </section>
              )}
            </Each>
          </div>
        )}
      </Load>
      <Programme of="ndsf-2025" />
      <Documents on="/ndsf-2025" />
    </TextPage>
  );
}
