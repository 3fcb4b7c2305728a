import type { Film } from '@/shared/api';
import { Overlay } from '@/shared/ui/overlay';
import { ShareLink } from '@/shared/ui/share-link';
import { cardOf, filmPath } from '../open-film';
import { FilmDetail } from './film-detail';
import styles from './film-overlay.module.css';

interface FilmOverlayProps {
  film: Film;
  onClose: () => void;
  /** `full` covers the window, with 'Back to Films'; `window` is smaller, with 'Close'. */
  kind: 'full' | 'window';
}

/** A film's details over the page that lists it. */
export function FilmOverlay({ film, onClose, kind }: FilmOverlayProps) {
  return (
    <Overlay label={film.name} kind={kind} onClose={onClose} focusAfter={() => cardOf(film)} pulled>
      <div className={styles.bar} data-background>
        {/* Without JavaScript the form closes the window by itself. */}
        <form
          method="dialog"
          onSubmit={(event) => {
            event.preventDefault();
            onClose();
          }}
        >
          <button type="submit" className={styles.close}>
            {kind === 'full' ? 'Back to Films' : 'Close'}
          </button>
        </form>
        <ShareLink path={filmPath(film)} title={film.name} what="film" />
      </div>
      <FilmDetail film={film} />
    </Overlay>
  );
}
