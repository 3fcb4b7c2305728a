import { act, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useApi } from '.';
import { type Boot, FirstPageContext } from './boot';
import { ApiProvider } from './use-api';

const answer = (body: unknown, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));
const boot: Boot = { data: {}, errors: {}, path: '/', params: {}, query: {}, api: '/api', base: '', past: false };
const fetching = vi.fn();

function List() {
  const names = useApi<string[]>('/names/');
  if (names.status === 'loading') return 'loading';
  if (names.status === 'error') return 'error';
  if (names.status === 'empty') return 'empty';
  return names.data.join();
}

function show(data: Record<string, unknown>, first: boolean, errors: Boot['errors'] = {}) {
  render(
    <FirstPageContext value={{ boot: { ...boot, data, errors }, first, search: '' }}>
      {/* A separate cache for each test. */}
      <SWRConfig value={{ provider: () => new Map() }}>
        <ApiProvider>
          <div data-testid="list">
            <List />
          </div>
        </ApiProvider>
      </SWRConfig>
    </FirstPageContext>,
  );
}

const text = () => screen.getByTestId('list').textContent;
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetching);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  fetching.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('on the page that the server sent', () => {
  it('shows its data and fetches nothing', async () => {
    show({ '/names/': ['a', 'b'] }, true);
    await wait(60_000);
    expect(text()).toBe('a,b');
    expect(fetching).not.toHaveBeenCalled();
  });

  it('shows an empty list as empty', () => {
    show({ '/names/': [] }, true);
    expect(text()).toBe('empty');
  });

  it('shows the error if the server had no data, and quietly retries', async () => {
    fetching.mockImplementation(() => answer(['late']));
    show({}, true);
    expect(text()).toBe('error');
    await wait(4900);
    expect(fetching).not.toHaveBeenCalled();
    await wait(200);
    expect(text()).toBe('late');
  });

  it('does not retry after a 404', async () => {
    show({}, true, { '/names/': { status: 404 } });
    await wait(60_000);
    expect(fetching).not.toHaveBeenCalled();
  });
});

describe('after a navigation', () => {
  it('loads, then shows', async () => {
    fetching.mockImplementation(() => answer(['a']));
    show({}, false);
    expect(text()).toBe('loading');
    await wait(10);
    expect(text()).toBe('a');
    expect(fetching).toHaveBeenCalledWith('/api/names/', expect.anything());
  });

  it('unwraps a list from its pagination envelope', async () => {
    fetching.mockImplementation(() => answer({ count: 1, next: null, previous: null, results: ['a'] }));
    show({}, false);
    await wait(10);
    expect(text()).toBe('a');
  });

  it('shows the error and retries by itself, but not after a 404', async () => {
    fetching.mockImplementation(() => answer({ error: 'x' }, 500));
    show({}, false);
    await wait(10);
    expect(text()).toBe('error');
    fetching.mockImplementation(() => answer(['back']));
    await wait(60_000);
    expect(text()).toBe('back');
  });
});
