import { type ReactNode, useMemo, useState } from 'react';
import type { Site } from '@/shared/api';
import { FirstPageContext } from '@/shared/api/boot';
import { ApiProvider } from '@/shared/api/use-api';
import { Presence } from '@/shared/motion';
import styles from './guide.module.css';

/** The surfaces on which everything has to stand. */
export const surfaces = ['night', 'lit', 'paper'] as const;

/** One of them. */
export type Surface = (typeof surfaces)[number];

/** A component, and the states in which the guide shows it. */
export interface Specimen {
  name: string;
  /** What is shown; the test looks for the components of shared/ui among them. */
  of: unknown;
  /** Its place in the source, from src/. */
  file: string;
  /** It takes the whole width: the surfaces stand below one another. */
  wide?: boolean;
  /** The surfaces that it is made for, where these are not all. */
  on?: readonly Surface[];
  /** The states by name; ids differ from surface to surface. */
  states: Record<string, (surface: Surface) => ReactNode>;
}

/** What components ask the application for: the facts of the site. */
export function Given({ site, children }: { site: Site; children: ReactNode }) {
  const page = useMemo(
    () => ({
      boot: {
        data: { '/site/': site },
        errors: {},
        path: '',
        params: {},
        query: {},
        api: '/api',
        base: '',
        past: false,
      },
      first: true,
      search: '',
    }),
    [site],
  );
  return (
    <FirstPageContext value={page}>
      <ApiProvider>{children}</ApiProvider>
    </FirstPageContext>
  );
}

/** A button that shows what lies over the page. */
export function Opens({ name, children }: { name: string; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.open} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {name}
      </button>
      <Presence of={open}>{() => <>{children(() => setOpen(false))}</>}</Presence>
    </>
  );
}
