import { createContext, useContext } from 'react';

/** Data that the server sends with a page: the API responses it was rendered with, and those that failed. */
export interface Boot {
  data: Record<string, unknown>;
  errors: Record<string, { status: number }>;
  path: string;
  params: Record<string, string>;
  /** Query parameters that the server used: those that the page reads, with their defaults. */
  query: Record<string, string>;
  /** Where the API is mounted. */
  api: string;
  /** Path prefix of the pages: "/archive/2024" in the archive. */
  base: string;
  /** A past edition: no form can be sent, and the query may not have been read. */
  past: boolean;
}

/** The boot data, whether the visitor is still on the page that they belong to, and the query of its request. */
interface FirstPage {
  boot: Boot;
  first: boolean;
  search: string;
}

const none: Boot = { data: {}, errors: {}, path: '/', params: {}, query: {}, api: '/api', base: '', past: false };

/** Provided by the application, read by `useApi`. */
export const FirstPageContext = createContext<FirstPage>({ boot: none, first: false, search: '' });

/** The boot data, and whether they belong to this page. */
export function useFirstPage(): FirstPage {
  return useContext(FirstPageContext);
}

/** Reads the boot data from the document. */
export function readBoot(document: Document): Boot {
  const text = document.getElementById('boot-data')?.textContent;
  return text ? { ...none, ...JSON.parse(text) } : none;
}
