import { countWords } from '../model/words';
import styles from './field.module.css';

/** How many of the asked words a text has; more are kept, but said. */
export function WordCounter({ id, text, limit }: { id: string; text: string; limit: number }) {
  const count = countWords(text);
  const over = count - limit;
  return (
    <p id={id} className={styles.counter} data-over={over > 0}>
      {`${count} of ${limit} words`}
      {over > 0 ? `. Please shorten it by ${over}: a catalogue has room for ${limit}. It can be sent as it is.` : null}
    </p>
  );
}
