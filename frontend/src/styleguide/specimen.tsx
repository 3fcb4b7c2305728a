import { type ReactNode, useMemo, useState } from 'react';
import type { Site } from '@/shared/api';
import { FirstPageContext } from '@/shared/api/boot';
import { ApiProvider } from '@/shared/api/use-api';
import { Presence } from '@/shared/motion';
import styles from './guide.module.css';

/** The surfaces on which everything has to work. */
export const surfaces = ['night', 'lit', 'paper'] as const;

/** A surface. */
export type Surface = (typeof surfaces)[number];

/** A component, and the states in which the guide shows it. */
export interface Specimen {
  name: string;
  /** The components shown; the test looks for those of shared/ui among them. */
  of: unknown;
  /** Its source file, from src/. */
  file: string;
  /** Whether it takes the whole width, with the surfaces below one another. */
  wide?: boolean;
  /** The surfaces that it is made for, if not all. */
  on?: readonly Surface[];
  /** The states by name; ids differ from surface to surface. */
  states: Record<string, (surface: Surface) => ReactNode>;
}

/** Data that components get from the application: the site's facts. */
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

/** A button that opens an overlay. */
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
