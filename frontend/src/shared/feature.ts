import type { ComponentType } from 'react';
import type { ModuleName } from './api/types';

/** A page of a feature. */
export interface PageRoute {
  /** The path; a function if it depends on the product's slug. */
  path: string | ((slug: string) => string);
  /** The name of the page's document, which the build writes. */
  template: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Without header and footer. */
  bare?: boolean;
  /** Always loaded as a document: only its own security policy allows the frame in it. */
  framing?: boolean;
}

/** A feature's contributions; the application collects them. */
export interface Feature {
  /** The module that switches the feature on and off. */
  name: ModuleName;
  routes: PageRoute[];
  /** Information that it adds to a film of another feature, by the film's id. */
  besideFilm?: () => Promise<{ default: ComponentType<{ id: number }> }>;
  /** Cleanup in browsers that visited the site while the feature was on. */
  whenOff?: () => Promise<unknown>;
}

/** A block of the home page. Smaller orders come first. */
export interface HomeBlock {
  order: number;
  /** Placed in the hero, above its countdown, instead of below the previous block. */
  within?: 'hero';
  Block: ComponentType;
}
