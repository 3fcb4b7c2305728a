import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { FirstPageContext } from '@/shared/api/boot';
import { ApiProvider } from '@/shared/api/use-api';
import { BrowserRouter } from '@/shared/router';
import { hardData } from '@/test/hard-data';
import FilmsPage from './films-page';

const boot = { data: hardData, errors: {}, path: '/films', params: {}, query: {}, api: '/api', base: '', past: false };

function show(address: string) {
  window.history.replaceState(null, '', address);
  return render(
    <BrowserRouter>
      <FirstPageContext value={{ boot, first: true, search: '' }}>
        <ApiProvider>
          <FilmsPage />
        </ApiProvider>
      </FirstPageContext>
    </BrowserRouter>,
  );
}

const card = () => document.querySelector<HTMLElement>('a[href="/films/1?film=4"]') as HTMLElement;

beforeEach(() => window.history.pushState(null, '', '/before'));

describe('the films page', () => {
  it('says per category that there are no films', () => {
    show('/films');
    expect(screen.getAllByText('No films found in this category yet.')).toHaveLength(1);
    expect(screen.getAllByText(/^Failed to load films for/)).toHaveLength(1);
  });

  it('opens a film with a history entry of its own and closes it with the button', async () => {
    show('/films');
    const entries = window.history.length;
    fireEvent.click(card());
    expect(window.location.search).toBe('?film=4');
    expect(window.history.length).toBe(entries + 1);
    expect(document.title).toContain('<!-- -->');
    const button = screen.getByText('Back to Films');
    await act(async () => {
      fireEvent.click(button);
      await new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    });
    expect(window.location.search).toBe('');
    expect(screen.queryByText('Back to Films')).toBeNull();
    expect(document.title).toMatch(/^Films · /);
  });

  it('closes a film with the browser’s back', async () => {
    show('/films');
    fireEvent.click(card());
    await act(async () => {
      window.history.back();
      await new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    });
    expect(screen.queryByText('Back to Films')).toBeNull();
  });

  it('opens the film that the address names, and stays on the page when it is closed', () => {
    show('/films?film=4');
    fireEvent.click(screen.getByText('Back to Films'));
    expect(window.location.pathname + window.location.search).toBe('/films');
  });

  it('shows only rows that have a value', () => {
    show('/films?film=4');
    const rows = [...document.querySelectorAll('dialog th')].map((row) => row.textContent);
    expect(rows).toEqual(['Writer', 'Cast', 'Synopsis']);
  });
});
