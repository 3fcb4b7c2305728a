import { useEffect, useState } from 'react';
import type { FormDescription } from '@/shared/api/generated/forms';
import type { Problem, Values } from '../model/entries';
import { useFormTools } from '../model/load-tools';
import { partsOf } from '../model/parts';
import styles from './form-progress.module.css';
import { sectionId } from './form-section';

interface FormProgressProps {
  form: FormDescription;
  values: Values;
  files: Record<string, unknown>;
  problems: Problem[];
}

/** The parts of the form with the progress of each and a link to it; it stays in view. */
export function FormProgress({ form, values, files, problems }: FormProgressProps) {
  const tools = useFormTools();
  const current = useCurrentPart(form.sections.map((_, index) => sectionId(index + 1)));
  if (form.sections.length < 2) return null;
  const parts = partsOf(form, values, files, problems, tools?.textOf);
  return (
    <nav className={styles.progress} aria-label="Parts of the form">
      <ol className={styles.parts}>
        {parts.map(({ title, filled, required, wrong }, index) => (
          <li key={title} className={styles.part} data-current={index === current}>
            <a
              href={`#${sectionId(index + 1)}`}
              className={styles.link}
              data-state={wrong ? 'wrong' : filled === required ? 'done' : 'open'}
              aria-current={index === current ? 'step' : undefined}
            >
              <span className={styles.number}>{index + 1}</span>
              {/* A long pair of words may break after its slash. */}
              <span className={styles.title}>{title.replaceAll('/', '/\u200B')}</span>
              <span className={styles.count}>
                {`${filled} of ${required}`}
                <span data-unseen="">{wrong ? ', something has to be put right' : ''}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Position of the line that decides which part is being read, as a fraction of the window's height from its top. */
const LINE = 0.34;

/** The index of the part of the page that is being read: the last one that begins above the line. */
function useCurrentPart(ids: string[]): number {
  const [current, setCurrent] = useState(0);
  const list = ids.join(' ');
  useEffect(() => {
    const names = list.split(' ');
    const elements = names.flatMap((name) => document.getElementById(name) ?? []);
    const update = () => {
      const line = window.innerHeight * LINE;
      const begun = elements.filter((element) => element.getBoundingClientRect().top <= line).length;
      setCurrent(Math.max(0, begun - 1));
    };
    update();
    // Not an observer of intersections: a jump may pass every part without one of them crossing the line.
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, [list]);
  return current;
}
