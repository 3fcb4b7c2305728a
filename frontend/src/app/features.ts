import { content } from '@/features/content/module';
import { festivals } from '@/features/festivals/module';
import { films } from '@/features/films/module';
import { forms } from '@/features/forms/module';
import { magazines } from '@/features/magazines/module';
import { programme } from '@/features/programme/module';
import { besideFilms } from '@/shared/beside-films';
import type { Feature } from '@/shared/feature';

/** The features of the site; a new one is a folder and a line here. */
export const features: Feature[] = [festivals, films, content, forms, magazines, programme];

besideFilms.push(...features);
