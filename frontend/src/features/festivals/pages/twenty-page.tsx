import { type Award, Load, type Namesake, useApi } from '@/shared/api';
import { Each, langOf } from '@/shared/template';
import { Button, TextPage } from '@/shared/ui/page';
import { NamesakeLife } from '../components/namesake-life';
import styles from './twenty-page.module.css';

/** The edition's patron, the awards and the people they are named after. */
export default function TwentyPage() {
  const namesakes = useApi<Namesake[]>('/namesakes/');
  const awards = useApi<Award[]>('/awards/');
  return (
    <TextPage slug="twenty" title="The twentieth edition">
      <Load of={awards}>
        {(awards) => (
          <ul className={styles.awards}>
            <Each of={awards} as="award">
              {(award) => (
                <li className={styles.award}>
                  <h2 className={styles.name} lang={langOf(award.name)}>
                    {award.name}
                  </h2>
                  <p className={styles.amount}>{award.amount_text}</p>
                  <p lang={langOf(award.description)}>{award.description}</p>
                </li>
              )}
            </Each>
          </ul>
        )}
      </Load>
      <Load of={namesakes}>
        {(namesakes) => (
          <Each of={namesakes} as="namesake">
            {(namesake) => <NamesakeLife namesake={namesake} />}
          </Each>
        )}
      </Load>
      <p className={styles.logo}>
        <Button href="/download" kind="quiet">
          Download the logo
        </Button>
      </p>
    </TextPage>
  );
}
