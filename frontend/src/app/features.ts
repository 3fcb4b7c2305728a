import { besideFilms } from '@/shared/beside-films';
import type { Feature } from '@/shared/feature';

/** The features of the site: every folder of `features/` that has a `module.ts`. */
export const features: Feature[] = Object.values(
  import.meta.glob<Feature>('../features/*/module.ts', { import: 'feature', eager: true }),
);

besideFilms.push(...features);
