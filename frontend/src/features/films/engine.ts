import type { Film } from '@/shared/api';
import { designOf, SIZES } from './components/poster-design';

/** Functions of this feature that the server calls in its JavaScript engine. */
export const functions = {
  /** The poster of a film that has none, with the size of its title in hundredths of the poster's width. */
  posterDesign: (film: Pick<Film, 'name' | 'original_title' | 'category_id'>) => {
    const design = designOf(film);
    return { ...design, size: SIZES[design.size] };
  },
};
