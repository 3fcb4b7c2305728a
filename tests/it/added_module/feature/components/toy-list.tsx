import type { Toy } from '@/shared/api/generated/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import styles from './toy-list.module.css';

/** Toys side by side: picture and name. */
export function ToyList({ toys }: { toys: Toy[] }) {
  return (
    <ul className={styles.list}>
      {toys.map((toy) => (
        <li key={toy.id}>
          <Picture src={toy.image} alt="" shape="square" sizes="grid" missing="No Image" />
          <h2 className={styles.name} lang={langOf(toy.name)}>
            {toy.name}
          </h2>
        </li>
      ))}
    </ul>
  );
}
