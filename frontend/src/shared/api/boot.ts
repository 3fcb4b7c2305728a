import { createContext, useContext } from 'react';

/** What the server sends with a page: the data it was filled with, and what failed. */
export interface Boot {
  data: Record<string, unknown>;
  errors: Record<string, { status: number }>;
  path: string;
  params: Record<string, string>;
  /** What the server took of the address's query: parameters that the page reads, with their defaults. */
  query: Record<string, string>;
  /** Where the API is mounted. */
  api: string;
  /** The path before those of the pages: "/archive/2024" in the archive. */
  base: string;
  /** Of the past: nothing is sent, and the query may not have been read. */
  past: boolean;
}

/** The boot data, whether the visitor is still on the page that came with them, and the query that it came for. */
interface FirstPage {
  boot: Boot;
  first: boolean;
  search: string;
}

const none: Boot = { data: {}, errors: {}, path: '/', params: {}, query: {}, api: '/api', base: '', past: false };

/** Given by the application, read by `useApi`. */
export const FirstPageContext = createContext<FirstPage>({ boot: none, first: false, search: '' });

/** The boot data and whether they are this page's. */
export function useFirstPage(): FirstPage {
  return useContext(FirstPageContext);
}

/** Reads the boot data from the document. */
export function readBoot(document: Document): Boot {
  const text = document.getElementById('boot-data')?.textContent;
  return text ? { ...none, ...JSON.parse(text) } : none;
}
