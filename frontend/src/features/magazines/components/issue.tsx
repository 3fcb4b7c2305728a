import type { MouseEvent } from 'react';
import type { Magazine } from '@/shared/api';
import { langOf, When } from '@/shared/template';
import { altOf, Picture } from '@/shared/ui/picture';
import { saveFile } from '../save-file';
import styles from './issue.module.css';

/** One issue: cover, name, volume, PDF. */
export function Issue({ magazine }: { magazine: Magazine }) {
  const save = (event: MouseEvent, url: string) => {
    event.preventDefault();
    saveFile(url, `${magazine.name}.pdf`).catch((error) => console.warn(error));
  };
  return (
    <article className={styles.issue}>
      <Picture
        src={magazine.image}
        alt={altOf(magazine, 'image')}
        shape="portrait"
        across="column"
        missing="No Image"
        className={styles.cover}
      />
      <h2 className={styles.name} lang={langOf(magazine.name)}>
        {magazine.name}
      </h2>
      <p className={styles.number}>
        <When value={magazine.Vol}>{(volume) => <span>Vol. {volume}</span>}</When>
        <When value={magazine.issue}>{(issue) => <span>Issue {issue}</span>}</When>
      </p>
      <When value={magazine.magazine}>
        {(url) => (
          <a
            href={url}
            download={`${magazine.name}.pdf`}
            className={styles.download}
            aria-label={`Download PDF: ${magazine.name}`}
            onClick={(event) => save(event, url)}
          >
            Download PDF
          </a>
        )}
      </When>
    </article>
  );
}
