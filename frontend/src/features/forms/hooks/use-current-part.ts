import { useEffect, useState } from 'react';

/** Where the line is that tells which part is being read, as a share of the window's height from its top. */
const LINE = 0.34;

/** The index of the part of the page that is being read: the last one that begins above the line. */
export function useCurrentPart(ids: string[]): number {
  const [current, setCurrent] = useState(0);
  const list = ids.join(' ');
  useEffect(() => {
    const names = list.split(' ');
    const elements = names.flatMap((name) => document.getElementById(name) ?? []);
    const look = () => {
      const line = window.innerHeight * LINE;
      const begun = elements.filter((element) => element.getBoundingClientRect().top <= line).length;
      setCurrent(Math.max(0, begun - 1));
    };
    look();
    // Not an observer of intersections: a jump may pass every part without one of them crossing the line.
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [list]);
  return current;
}
