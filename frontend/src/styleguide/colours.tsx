import { useEffect, useRef, useState } from 'react';
import styles from './guide.module.css';
import { type Surface, surfaces } from './specimen';

/** The roles, and the surface of each one. */
const roles = [
  ['--text', '--surface'],
  ['--text', '--surface-raised'],
  ['--text-quiet', '--surface'],
  ['--accent', '--surface'],
  ['--error', '--surface'],
  ['--done', '--surface'],
  ['--focus', '--surface'],
  ['--button-text', '--button'],
  ['--line', '--surface'],
] as const;

/** Lines between things need no minimum contrast; text needs 4.5, other graphics 3. */
const least: Partial<Record<string, number>> = { '--line': 0, '--focus': 3 };

interface Pair {
  front: string;
  behind: string;
  ratio: number;
}

/** Every role on every surface, with the contrast computed from the browser's colours. */
export function Colours() {
  return (
    <div className={styles.surfaces}>
      {surfaces.map((surface) => (
        <Roles key={surface} surface={surface} />
      ))}
    </div>
  );
}

function Roles({ surface }: { surface: Surface }) {
  const probe = useRef<HTMLTableElement>(null);
  const [pairs, setPairs] = useState<Pair[]>([]);

  useEffect(() => {
    const element = probe.current;
    if (!element) return;
    setPairs(
      roles.map(([front, behind]) => ({
        front,
        behind,
        ratio: contrast(colourOf(element, front), colourOf(element, behind)),
      })),
    );
  }, []);

  return (
    <div className={styles.surface} data-surface={surface}>
      <table ref={probe} className={styles.table}>
        <caption>{surface}</caption>
        <tbody>
          {pairs.map(({ front, behind, ratio }) => (
            <tr key={front + behind} data-front={front} data-enough={ratio >= (least[front] ?? 4.5)}>
              <td>
                <span
                  className={styles.swatch}
                  style={{ color: `var(${front})`, background: `var(${behind})` }}
                  aria-hidden="true"
                >
                  {front === '--line' ? null : 'അ A'}
                </span>
              </td>
              <th scope="row">
                {front.slice(2)} <small>on {behind.slice(2)}</small>
              </th>
              <td>{ratio.toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Rgb = [number, number, number];

function colourOf(element: HTMLElement, role: string): Rgb {
  element.style.color = `var(${role})`;
  const numbers = getComputedStyle(element).color.match(/[\d.]+/g) ?? [];
  element.style.color = '';
  return [Number(numbers[0] ?? 0), Number(numbers[1] ?? 0), Number(numbers[2] ?? 0)];
}

/** The contrast ratio of the Web Content Accessibility Guidelines. */
function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
