import { render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, expect, it, vi } from 'vitest';
import { FirstPageContext } from '@/shared/api/boot';
import { ApiProvider } from '@/shared/api/use-api';
import { BrowserRouter, Route, Routes } from '@/shared/router';
import { hardData } from '@/test/hard-data';
import FilmsCategoryPage from './films-category-page';

const boot = {
  data: { '/site/': hardData['/site/'] },
  errors: {},
  path: '/films/1',
  params: {},
  query: {},
  api: '/api',
  base: '',
  past: false,
};

function show(answers: Record<string, unknown>) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    const body = answers[address];
    return Promise.resolve(new Response(JSON.stringify(body ?? {}), { status: body === undefined ? 404 : 200 }));
  });
  window.history.replaceState(null, '', '/films/1');
  render(
    <BrowserRouter>
      <FirstPageContext value={{ boot, first: false, search: '' }}>
        <SWRConfig value={{ provider: () => new Map() }}>
          <ApiProvider>
            <Routes>
              <Route path="/films/:id" element={<FilmsCategoryPage />} />
            </Routes>
          </ApiProvider>
        </SWRConfig>
      </FirstPageContext>
    </BrowserRouter>,
  );
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

it('shows the films of a backend that has the specified list and no parts', async () => {
  const films = hardData['/categories/1/films/'] as { name: string }[];
  const asked = show({ '/api/site/': hardData['/site/'], '/api/categories/1/films/': films });
  expect(await screen.findAllByRole('listitem')).not.toHaveLength(0);
  for (const { name } of films) expect(document.body.textContent).toContain(name);
  expect(asked.filter((address) => address.includes('/films/')).at(-1)).toBe('/api/categories/1/films/');
});

it('reports a failure if the category does not exist at all', async () => {
  show({ '/api/site/': hardData['/site/'] });
  expect(await screen.findByText('Failed to load films !!!')).toBeTruthy();
});
