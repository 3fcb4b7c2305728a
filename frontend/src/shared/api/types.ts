/** What the API answers, under the names that pages use. The types themselves are written by the program. */
import type { Organiser, Partner } from './generated/festivals';
import type { SiteEdition, Site as SiteFacts } from './generated/site';

export type { Blog } from './generated/content';
export type {
  Award,
  Guest,
  HistoryYear,
  Namesake,
  NextItem,
  Package,
  Picture,
  SessionDay,
  TeamGroup,
  UpcomingEvent,
  Venue,
  WinnerGroup,
} from './generated/festivals';
export type { Category, Film, FilmIndex, FilmPart, IndexedFilm, Selection } from './generated/films';
export type { Magazine } from './generated/magazines';
export type { ModuleName } from './generated/modules';
export type { PageText } from './generated/pages';
export type { Programme, ProgrammeChanges, ProgrammeFilm, ProgrammeToday, Screening } from './generated/programme';
export type { SiteMenuItem as MenuGroup } from './generated/site';

/** The site's facts as pages see them: before the first edition an empty one stands in (`useSite`). */
export type Site = Omit<SiteFacts, 'edition'> & { edition: SiteEdition };

/** A partner or an organiser; a partner has a kind, an organiser a role. */
export type Supporter = Pick<Organiser, 'id' | 'name' | 'logo' | 'logo_alt' | 'href'> &
  Partial<Pick<Organiser, 'role'> & Pick<Partner, 'kind'>>;
