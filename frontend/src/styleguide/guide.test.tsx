import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { BrowserRouter } from '@/shared/router';
import { Guide, specimens } from './guide';

const modules = import.meta.glob<Record<string, unknown>>(['../shared/ui/*.tsx', '../shared/ui/*/index.ts'], {
  eager: true,
});
const exported = Object.entries(modules).flatMap(([file, module]) =>
  Object.entries(module).map(([name, value]) => ({ name, file, value })),
);
/** Components, and the toast, which is called. Helpers next to them render nothing. */
const components = exported.filter(({ name }) => /^[A-Z]/.test(name) || name === 'toast');

describe('the style guide', () => {
  it.each(components)('shows $name of $file', ({ value }) => {
    expect(specimens.some(({ of }) => of === value)).toBe(true);
  });

  it('renders something for every state on every surface', { timeout: 60_000 }, () => {
    render(
      <BrowserRouter>
        <Guide />
      </BrowserRouter>,
    );
    for (const { name, states, on } of specimens) {
      const part = document.getElementById(name);
      expect(part?.querySelector('h2')?.textContent, name).toContain(name);
      const surfaces = [...(part?.querySelectorAll('[data-state] > div > [data-surface]') ?? [])];
      expect(surfaces.length, name).toBe(Object.keys(states).length * (on?.length ?? 3));
      for (const surface of surfaces) expect(surface.childElementCount, `${name} on a surface`).toBeGreaterThan(0);
    }
  });
});
