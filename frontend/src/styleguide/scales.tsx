import styles from './guide.module.css';
import { sampleText } from './samples';

const sizes = ['h1', 'h2', 'h3', 'lead', 'body', 'small'] as const;
const spaces = ['xs', 's', 'm', 'l', 'xl'] as const;
const cuts = [
  ['closed', 'closed: 800, 75 %'],
  ['text', 'text: 400 to 800, 100 %'],
  ['open', 'open: 250, 125 %'],
] as const;

/** Letters that a careless subset loses: chillus old and new, conjuncts, signs on every side, figures, joiners. */
const letters = [
  'അ ആ ഇ ഈ ഉ ഊ ഋ എ ഏ ഐ ഒ ഓ ഔ അം അഃ',
  'ൺ ൻ ർ ൽ ൾ ൿ ൔ ൕ ൖ ക്ഷൎമ · ണ്‍ ന്‍ ര്‍ ല്‍ ള്‍',
  'ക്ക ങ്ക ങ്ങ ച്ച ഞ്ച ഞ്ഞ ട്ട ണ്ട ണ്ണ ത്ത ന്ത ന്ന പ്പ മ്പ മ്മ യ്യ ല്ല വ്വ ള്ള റ്റ ന്റെ',
  'ക്ഷ ജ്ഞ ത്ഥ ദ്ധ സ്ഥ ശ്ച ഗ്ദ്ധ്ര സ്ത്രീ ക്രൂ പ്രോ ബ്ലോ ക്വ ഗ്ല ഹ്മ ഹ്ന',
  'കാ കി കീ കു കൂ കൃ കെ കേ കൈ കൊ കോ കൌ കൗ ൟ ൡ കഁ കം കഃ',
  '൦൧൨൩൪൫൬൭൮൯ ൰ ൱ ൲ ൳ ൴ ൵ ₹ 0123456789',
];

/** The type scale in all three cuts. */
export function TypeScale() {
  return (
    <>
      <dl className={styles.scale}>
        {sizes.map((size) => (
          <div key={size}>
            <dt>size-{size}</dt>
            <dd className={styles[size]}>
              Light <span lang="ml">വെളിച്ചം</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.row}>
        {cuts.map(([cut, title]) => (
          <div key={cut} className={styles.cut} data-cut={cut}>
            <h3>{title}</h3>
            {Object.entries(sampleText).map(([name, text]) => (
              <p key={name} lang={name.toLowerCase().includes('malayalam') ? 'ml' : undefined}>
                {text}
              </p>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

/** Text that the Malayalam faces must be able to render. */
export function Malayalam() {
  return (
    <div className={styles.row}>
      {cuts.map(([cut, title]) => (
        <div key={cut} className={styles.cut} data-cut={cut}>
          <h3>{title}</h3>
          {letters.map((line) => (
            <p key={line} lang="ml" data-letters="">
              {line}
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The spaces between things. */
export function Spaces() {
  return (
    <dl className={styles.scale}>
      {[...spaces.map((space) => `space-${space}`), 'gutter', 'hairline', 'slant', 'target'].map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className={styles.space} style={{ width: `var(--${name})` }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
