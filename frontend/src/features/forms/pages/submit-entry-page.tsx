import { useSite } from '@/shared/api';
import { filmForms } from '@/shared/api/generated/film-forms';
import { Button } from '@/shared/ui/page';
import { TextPage } from '@/shared/ui/page/text-page';
import styles from './submit-entry-page.module.css';

/** The choice of the award to submit a film for. */
export default function SubmitEntryPage() {
  const { edition } = useSite();
  return (
    <TextPage slug="submit-entry" title="Submit your film" complete>
      {edition.submission_deadline_american_text && (
        <p className={styles.deadline}>Last Date for Submission: {edition.submission_deadline_american_text}</p>
      )}
      <ul className={styles.awards}>
        {filmForms.map(({ key, title, lead, path }) => {
          // "Film submission: Asian Cinema"
          const award = title.replace(/^.*: /, '');
          return (
            <li key={key} className={styles.award} data-surface="night">
              <h2>{award}</h2>
              <p>{lead}</p>
              <Button href={path} aria-label={`Apply Now: ${award}`}>
                Apply Now
              </Button>
            </li>
          );
        })}
      </ul>
    </TextPage>
  );
}
