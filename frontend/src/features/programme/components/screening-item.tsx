import type { Programme, ProgrammeFilm, Screening } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { clock, dayNames } from '../times';
import styles from './screening-item.module.css';

interface ScreeningItemProps {
  screening: Screening;
  programme: Programme;
  films: Map<number, ProgrammeFilm>;
  starred: boolean;
  clashing: boolean;
  /** What stars it; absent before scripts run. */
  onStar?: (id: number) => void;
}

/** A screening in its hour and hall: time, title, by whom, and what one has to know. */
export function ScreeningItem({ screening, programme, films, starred, clashing, onStar }: ScreeningItemProps) {
  const of = screening.films.flatMap((id) => films.get(id) ?? []);
  const [only] = of;
  const single = of.length === 1 && only ? only : null;
  const facts = single
    ? [single.directors.join(', '), single.countries.join(', '), single.year].filter(Boolean).join(' · ')
    : of
        .map((film) => film.title)
        .filter((title) => title !== screening.title)
        .join(', ');
  const minutes = screening.minutes + screening.talk_minutes;
  const details = [
    `${minutes} min`,
    screening.language && `in ${screening.language}`,
    screening.subtitles && `subtitles ${screening.subtitles}`,
  ].filter(Boolean);
  const guests =
    screening.guests.length > 0 ? `with ${screening.guests.join(', ')}` : screening.with_guests ? 'with guests' : '';
  const hall = programme.halls.find(({ id }) => id === screening.hall);
  return (
    <article
      className={styles.item}
      data-cancelled={screening.cancelled || undefined}
      data-starred={starred || undefined}
    >
      <p className={styles.time}>
        <time dateTime={screening.starts_at}>{clock(screening.starts_at)}</time>
        <span className={styles.hall}> · {hall?.name}</span>
      </p>
      <h3 className={styles.title} {...scriptOf(screening.title)}>
        {single ? <a href={`/films/${single.section.id}?film=${single.id}`}>{screening.title}</a> : screening.title}
      </h3>
      {single?.original_title && single.original_title !== screening.title ? (
        <p className={styles.facts} {...scriptOf(single.original_title)}>
          {single.original_title}
        </p>
      ) : null}
      {facts ? (
        <p className={styles.facts} {...scriptOf(facts)}>
          {facts}
        </p>
      ) : null}
      <p className={styles.facts}>{details.join(', ')}</p>
      {guests ? <p className={styles.guests}>{guests}</p> : null}
      <Notice screening={screening} programme={programme} />
      {clashing ? <p className={styles.notice}>Clashes with another star</p> : null}
      <p className={styles.actions}>
        {onStar ? (
          <button
            type="button"
            className={styles.star}
            aria-pressed={starred}
            aria-label={`${starred ? 'Remove the star from' : 'Star'} ${screening.title}, ${clock(screening.starts_at)}`}
            onClick={() => onStar(screening.id)}
          >
            <span aria-hidden="true">{starred ? '★' : '☆'}</span>
          </button>
        ) : null}
        {screening.cancelled ? null : (
          <a className={styles.link} href={`/programme/screenings/${screening.id}.ics`}>
            Calendar<span data-unseen>: {screening.title}</span>
          </a>
        )}
      </p>
    </article>
  );
}

/** What changed since the programme came out, and for whom it is. */
function Notice({ screening, programme }: { screening: Screening; programme: Programme }) {
  const { change } = screening;
  if (screening.cancelled) return <p className={styles.notice}>Cancelled</p>;
  const notices: string[] = [];
  if (change?.kind === 'new') notices.push('New');
  if (change?.kind === 'changed') notices.push('Changed');
  if (change?.kind === 'moved') {
    const was = change.was;
    const hall = programme.halls.find(({ id }) => id === was?.hall)?.name;
    const day =
      was && was.starts_at.slice(0, 10) !== screening.starts_at.slice(0, 10)
        ? `${dayNames(was.starts_at.slice(0, 10)).date}, `
        : '';
    notices.push(was ? `Moved: it was ${day}${clock(was.starts_at)}, ${hall ?? 'elsewhere'}` : 'Moved');
  }
  if (screening.audience === 'delegates') notices.push('For delegates');
  return notices.map((notice) => (
    <p key={notice} className={styles.notice}>
      {notice}
    </p>
  ));
}
