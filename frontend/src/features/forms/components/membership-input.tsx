import type { FormField } from '@/shared/api/generated/forms';
import { useFormsFacts } from '../forms-facts';
import { inputId } from '../model/form-element';
import styles from './input.module.css';

/** Choice of a membership, with fees; the label of the chosen one is sent. */
export function MembershipInput({ field }: { field: FormField }) {
  const { fees } = useFormsFacts();
  return (
    <div className={styles.memberships}>
      {fees.memberships.map((membership, index) => (
        <label key={membership.key} className={styles.membership}>
          <input
            type="radio"
            // The first one gets the focus if none is chosen.
            id={index ? `${inputId(field.name)}-${membership.key}` : inputId(field.name)}
            name={field.name}
            value={membership.label}
            className={styles.mark}
          />
          <span>{membership.label}</span>
          <strong>{membership.amount_text}</strong>
        </label>
      ))}
    </div>
  );
}
