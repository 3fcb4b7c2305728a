import { type MouseEvent, useEffect, useState } from 'react';
import type { FilmPart } from '@/shared/api';
import { useLocation } from '@/shared/router';
import { useHydrated } from '@/shared/use-hydrated';

/** The parts that were asked for on a page that was left, by its entry in the history: back shows them at once. */
const left = new Map<string, readonly number[]>();

/** So many parts come as one scrolls; from there on the link asks for each, so that the page's foot can be reached. */
const BY_THEMSELVES = 1;

/**
 * The parts that follow the one that a page began with. Room for those that come by themselves is there once the page is
 * alive, so that nothing moves when they come; each is asked for when its room comes near the window.
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
      /** Whoever pressed the link goes on with the first film of this part. */
      focus: number === goal,
    })),
    /** The part that the link leads to: the first that is missing. */
    next,
    onMore: (event: MouseEvent) => {
      if (next === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setGoal(next);
      ask(next);
    },
  };
}

/** A part with another after it is as long as all of these. */
function numbersAfter({ number, next, count, films }: FilmPart): number[] {
  const last = next === null ? number : Math.ceil(count / films.length);
  return Array.from({ length: last - number }, (_, index) => number + index + 1);
}
