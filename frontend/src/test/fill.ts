import Handlebars from 'handlebars';
import { languageOf } from '@/shared/template/lang';

/** What the server fills a template with. */
export interface PageData {
  path: string;
  params: Record<string, string>;
  /** What the server took of the address's query, with the defaults. */
  query: Record<string, string>;
  data: Record<string, unknown>;
  errors: Record<string, { status: number }>;
}

/** Fills a template as the server does: escaping on, missing names empty, and its helpers beside Handlebars' own. */
export function fill(template: string, page: PageData): string {
  const handlebars = Handlebars.create();
  handlebars.registerHelper('api', (...parts: unknown[]) => {
    const key = parts.slice(0, -1).join('');
    return page.data[key] ?? null;
  });
  handlebars.registerHelper('eq', (one: unknown, other: unknown) => one === other);
  handlebars.registerHelper('lang', (text: unknown) => languageOf(typeof text === 'string' ? text : ''));
  const [name] = Object.entries(page.query).find((entry) => entry.join() !== 'part,1') ?? [];
  const named = name ? { name, value: page.query[name] } : null;
  return handlebars.compile(template)({ base_url: 'https://festival.test', status: 200, named, ...page });
}
