import type { ReactNode } from 'react';
import type { FormSection as Section } from '@/shared/api/generated/forms';
import { useSecondLanguage } from '../model/second-language';
import styles from './form-section.module.css';

interface FormSectionProps {
  number: number;
  /** Number of parts; a form with one part needs no numbers. */
  of: number;
  section: Section;
  children: ReactNode;
}

/** The id of a form's part. */
export function sectionId(number: number): string {
  return `part-${number}`;
}

/** One numbered part of a form. */
export function FormSection({ number, of, section, children }: FormSectionProps) {
  const id = sectionId(number);
  const second = useSecondLanguage();
  const secondTexts = second?.sections[section.title];
  const Part = section.title ? 'section' : 'div';
  return (
    <Part
      id={id}
      className={styles.section}
      aria-labelledby={section.title ? `${id}-title` : undefined}
      data-numbered={of > 1}
    >
      {section.title ? (
        <h2 id={`${id}-title`} className={styles.title}>
          <span className={styles.number}>{number}</span>{' '}
          <span className={styles.words}>
            <span>{section.title}</span>
            {secondTexts ? <span lang={second?.lang}>{secondTexts.title}</span> : null}
          </span>
        </h2>
      ) : null}
      {section.text.length > 0 ? (
        <div className={styles.text}>
          {section.text.map((line, index) => (
            <p key={line}>
              {secondTexts ? <span lang={second?.lang}>{secondTexts.text[index]} </span> : null}
              {line}
            </p>
          ))}
        </div>
      ) : null}
      <div className={styles.fields}>{children}</div>
    </Part>
  );
}
