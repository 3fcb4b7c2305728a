import { type MouseEvent, useEffect, useState } from 'react';
import type { FilmPart } from '@/shared/api';
import { useLocation } from '@/shared/router';
import { useHydrated } from '@/shared/use-hydrated';

/** The parts that were requested on a page that was left, by history entry: Back shows them at once. */
const left = new Map<string, readonly number[]>();

/** Number of parts that load while scrolling; further ones load by the link, so that the footer can be reached. */
const BY_THEMSELVES = 1;

/**
 * The parts after the first one of a page. Space for those that load by themselves is reserved after hydration, so that
 * nothing moves when they arrive; each is requested when its space comes near the window.
 */
export function useFurtherParts(begin: FilmPart) {
  const { key } = useLocation();
  const hydrated = useHydrated();
  const [asked, setAsked] = useState(() => left.get(key) ?? []);
  const [goal, setGoal] = useState<number | null>(null);

  useEffect(() => {
    left.set(key, asked);
  }, [key, asked]);

  const all = hydrated ? numbersAfter(begin) : [];
  const numbers = all.filter((number, index) => index < BY_THEMSELVES || asked.includes(number));
  const ask = (number: number) => setAsked((asked) => (asked.includes(number) ? asked : [...asked, number]));
  const next = hydrated ? (all.find((number) => !asked.includes(number)) ?? null) : begin.next;

  return {
    parts: numbers.map((number) => ({
      number,
      length: Math.min(begin.films.length, begin.count - (number - 1) * begin.films.length),
      asked: asked.includes(number),
      onNear: () => ask(number),
      /** After the link was pressed, the focus goes to the first film of this part. */
      focus: number === goal,
    })),
    /** The part that the link leads to: the first one missing. */
    next,
    onMore: (event: MouseEvent) => {
      if (next === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setGoal(next);
      ask(next);
    },
  };
}

/** A part that is not the last one has the full length. */
function numbersAfter({ number, next, count, films }: FilmPart): number[] {
  const last = next === null ? number : Math.ceil(count / films.length);
  return Array.from({ length: last - number }, (_, index) => number + index + 1);
}
