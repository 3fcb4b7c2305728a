import { useCallback, useEffect, useRef } from 'react';
import { type ApiState, type Category, type Film, useApi, useSite } from '@/shared/api';
import { useTitle } from '@/shared/head';
import { langOf } from '@/shared/lang';
import { Presence } from '@/shared/motion';
import { Carousel } from '@/shared/ui/carousel';
import { Status } from '@/shared/ui/page';
import { Section } from '@/shared/ui/section';
import { useNear } from '@/shared/use-near';
import { useOpenFilm } from '../open-film';
import styles from './category-films.module.css';
import { FilmCard } from './film-card';
import { FilmOverlay } from './film-overlay';

/**
 * One category of the films page: a carousel of its films. The page includes the first films; the others are requested
 * when the carousel moves. After a navigation inside the site a category is requested when it comes near the window.
 * The `first` category of the page is in its first view.
 */
export function CategoryFilms({ category, first }: { category: Category; first: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const { id, open } = useOpenFilm();
  const near = useNear(place, '800px');
  const films = useApi<Film[]>(`/categories/${category.id}/films/`, { wait: !near && id === null });
  return (
    <Section id={`category-${category.id}`} title={category.name} lang={langOf(category.name)} firstView={first}>
      {category.category_desc && (
        <p className={styles.text} lang={langOf(category.category_desc)}>
          {category.category_desc}
        </p>
      )}
      <div ref={place}>
        {films.status === 'loading' && (
          <div className={styles.loading}>
            <Status>Loading films...</Status>
          </div>
        )}
        {films.status === 'error' && (
          <Status kind="error" onRetry={films.retry}>
            Failed to load films for {category.name}
          </Status>
        )}
        {films.status === 'empty' && <Status>No films found in this category yet.</Status>}
        {films.status === 'loaded' && (
          <>
            <FilmCarousel
              category={category}
              films={films.data}
              loadAll={films.retry}
              onOpen={open}
              inFirstView={first}
            />
            <a href={`/films/${category.id}`} className={styles.all}>
              All films of {category.name}
            </a>
          </>
        )}
      </div>
      <OpenFilm category={category} films={films} />
    </Section>
  );
}

interface FilmCarouselProps {
  category: Category;
  films: Film[];
  loadAll: () => void;
  onOpen: (film: Film) => void;
  inFirstView: boolean;
}

function FilmCarousel({ category, films, loadAll, onOpen, inFirstView }: FilmCarouselProps) {
  const asked = useRef(false);
  const onMove = useCallback(() => {
    if (asked.current || films.length >= category.film_count) return;
    asked.current = true;
    loadAll();
  }, [films, category, loadAll]);
  return (
    <Carousel of={films} label={category.name} slides="films" delay={3000} long onMove={onMove}>
      {(film, index) => <FilmCard film={film} onOpen={onOpen} layout="films" eager={inFirstView && index === 0} />}
    </Carousel>
  );
}

/** The category's film that the address names, if it is one of these films. */
function OpenFilm({ category, films }: { category: Category; films: ApiState<Film[]> }) {
  const { id, close } = useOpenFilm();
  const film = id === null ? null : films.data?.find((film) => String(film.id) === id);
  const { retry } = films;
  const hidden = id !== null && !film && films.status === 'loaded' && films.data.length < category.film_count;
  useEffect(() => {
    if (hidden) retry();
  }, [hidden, retry]);
  return <Presence of={film}>{(film) => <FullFilm key={film.id} film={film} onClose={close} />}</Presence>;
}

/** A film over the whole listing; its name is the title of the tab. */
function FullFilm({ film, onClose }: { film: Film; onClose: () => void }) {
  const { product, edition } = useSite();
  useTitle(`${film.name} · ${product.name} ${edition.year}`);
  return <FilmOverlay film={film} kind="full" onClose={onClose} />;
}
