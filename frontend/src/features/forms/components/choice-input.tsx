import type { FormField } from '@/shared/api/generated/forms';
import { useInputAttributes } from '../hooks/use-input-attributes';
import { inputId, isGroup } from '../model/form-element';
import styles from './input.module.css';

/** One of a few: radio buttons for two choices, a list for more. */
export function ChoiceInput({ field, problem }: { field: FormField; problem: string }) {
  const id = inputId(field.name);
  const attributes = useInputAttributes(field, problem);
  if (!isGroup(field)) {
    return (
      <select {...attributes} id={id} name={field.name} className={styles.input} defaultValue="">
        <option value="">Please choose</option>
        {field.choices.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <div className={styles.choices}>
      {field.choices.map(({ key, label }, index) => (
        <label key={key} className={styles.choice}>
          <input type="radio" id={index === 0 ? id : undefined} name={field.name} value={key} className={styles.mark} />
          {label}
        </label>
      ))}
    </div>
  );
}
