import type { ComponentType } from 'react';
import type { ModuleName } from './api/types';

/** A page that a feature brings. */
export interface PageRoute {
  /** The address; a function where it depends on the product's slug. */
  path: string | ((slug: string) => string);
  /** The name of the page's document, which the build makes. */
  template: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Stands alone, without header and footer. */
  bare?: boolean;
  /** Comes as a document of its own: only its own security policy allows what it frames. */
  framing?: boolean;
}

/** What a feature contributes; the application collects them. */
export interface Feature {
  /** The module that switches the feature on and off. */
  name: ModuleName;
  routes: PageRoute[];
  /** What it shows beside a film of another feature, by the film's id. */
  besideFilm?: () => Promise<{ default: ComponentType<{ id: number }> }>;
  /** What is to be done in a browser that was here while the feature was on. */
  whenOff?: () => Promise<unknown>;
}

/** A block of the home page. Smaller orders stand higher. */
export interface HomeBlock {
  order: number;
  /** It stands in the hero, above its countdown, instead of below the block before it. */
  within?: 'hero';
  Block: ComponentType;
}
