import { type Award, type Namesake, useApi, useSite } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Button } from '@/shared/ui/page';
import { TextPage } from '@/shared/ui/page/text-page';
import { NamesakeLife } from '../components/namesake-life';
import styles from './twenty-page.module.css';

/** The edition's patron, the awards and the people they are named after. */
export default function TwentyPage() {
  const { logo, logo_name } = useSite();
  const namesakes = useApi<Namesake[]>('/namesakes/');
  const awards = useApi<Award[]>('/awards/');
  return (
    <TextPage slug="twenty" title="The twentieth edition">
      {awards.status === 'loaded' && (
        <ul className={styles.awards}>
          {awards.data.map((award) => (
            <li key={award.id} className={styles.award}>
              <h2 className={styles.name} lang={langOf(award.name)}>
                {award.name}
              </h2>
              <p className={styles.amount}>{award.amount_text}</p>
              <p lang={langOf(award.description)}>{award.description}</p>
            </li>
          ))}
        </ul>
      )}
      {namesakes.status === 'loaded' &&
        namesakes.data.map((namesake) => <NamesakeLife key={namesake.id} namesake={namesake} />)}
      {logo && (
        <p className={styles.logo}>
          <Button href={logo} download={logo_name} kind="quiet">
            Download the logo
          </Button>
        </p>
      )}
    </TextPage>
  );
}
