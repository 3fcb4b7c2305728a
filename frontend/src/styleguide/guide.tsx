import type { ReactNode } from 'react';
import { Colours } from './colours';
import styles from './guide.module.css';
import { site } from './samples';
import { Malayalam, Spaces, TypeScale } from './scales';
import { Given, type Specimen, surfaces } from './specimen';
import { page } from './specimens/page';
import { moving } from './specimens/pictures';

/** The features' specimens, from `specimens.tsx` of their folders. */
const ofFeatures = Object.values(
  import.meta.glob<Specimen[]>('../features/*/specimens.tsx', { import: 'specimens', eager: true }),
);

/** Everything that the guide shows, in its order. */
export const specimens: Specimen[] = [...page, ...moving, ...ofFeatures.flat()];

/** Every component in every state on every surface, with colours and scales. Only in development. */
export function Guide() {
  return (
    <Given site={site}>
      <header className={styles.head} data-surface="lit">
        <h1>Style guide</h1>
        <p>
          Every component in every state. Walk through it with the Tab key, at every width, with large text, in print.
          Why it looks so is in docs/design.md.
        </p>
        <nav aria-label="Components">
          <ul className={styles.contents}>
            {['Colours', 'Type', 'Malayalam', 'Spaces', ...specimens.map(({ name }) => name)].map((name) => (
              <li key={name}>
                <a href={`#${name}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main data-surface="paper">
        <Part name="Colours" note="shared/styles/tokens.css">
          <Colours />
        </Part>
        <Part name="Type" note="shared/styles/faces.css">
          <TypeScale />
        </Part>
        <Part name="Malayalam" note="scripts/subset_fonts.py">
          <Malayalam />
        </Part>
        <Part name="Spaces" note="shared/styles/tokens.css">
          <Spaces />
        </Part>
        {specimens.map((specimen) => (
          <Part key={specimen.name} name={specimen.name} note={specimen.file}>
            <States of={specimen} />
          </Part>
        ))}
      </main>
    </Given>
  );
}

function Part({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <section id={name} className={styles.part} aria-labelledby={`${name}-name`}>
      <h2 id={`${name}-name`} className={styles.name}>
        {name} <code className={styles.note}>{note}</code>
      </h2>
      {children}
    </section>
  );
}

function States({ of: { states, wide = false, on = surfaces } }: { of: Specimen }) {
  return Object.entries(states).map(([state, show]) => (
    <div key={state} data-state={state}>
      <p className={styles.label}>{state}</p>
      <div className={wide ? styles.stack : styles.surfaces}>
        {on.map((surface) => (
          <div key={surface} className={styles.surface} data-surface={surface}>
            {show(surface)}
          </div>
        ))}
      </div>
    </div>
  ));
}
