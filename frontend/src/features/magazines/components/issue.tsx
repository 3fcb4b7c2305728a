import type { MouseEvent } from 'react';
import type { Magazine } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import styles from './issue.module.css';

interface IssueProps {
  magazine: Magazine;
  /** Whether its cover is in the first view. */
  eager?: boolean;
}

/** One issue: cover, name, volume, PDF. */
export function Issue({ magazine, eager }: IssueProps) {
  const { magazine: pdf } = magazine;
  const save = (event: MouseEvent, url: string) => {
    event.preventDefault();
    saveFile(url, `${magazine.name}.pdf`).catch((error) => console.warn(error));
  };
  return (
    <article className={styles.issue}>
      <Picture
        src={magazine.image}
        alt={magazine.image_alt ?? ''}
        shape="portrait"
        sizes="grid"
        missing="No Image"
        eager={eager}
        className={styles.cover}
      />
      <h2 className={styles.name} lang={langOf(magazine.name)}>
        {magazine.name}
      </h2>
      <p className={styles.number}>
        {magazine.Vol && <span>Vol. {magazine.Vol}</span>}
        {magazine.issue && <span>Issue {magazine.issue}</span>}
      </p>
      {pdf && (
        <a
          href={pdf}
          download={`${magazine.name}.pdf`}
          className={styles.download}
          aria-label={`Download PDF: ${magazine.name}`}
          onClick={(event) => save(event, pdf)}
        >
          Download PDF
        </a>
      )}
    </article>
  );
}

/** Fetches a file and saves it under our own name, which a link alone cannot do for a file on another host. */
async function saveFile(url: string, name: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
