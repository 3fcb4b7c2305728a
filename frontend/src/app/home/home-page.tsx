import { type PageText, useApi, useSite } from '@/shared/api';
import type { HomeBlock } from '@/shared/feature';
import { Head } from '@/shared/head';
import { features } from '../features';
import { Hero } from './hero';
import { Marquee } from './marquee';

/** The blocks that need only the site itself. */
const own: HomeBlock[] = [
  { order: 10, Block: Hero },
  { order: 30, Block: Marquee },
];

/** The features' blocks by file: only the home page needs their code. */
const files = import.meta.glob<HomeBlock[]>('../../features/*/home.ts', { import: 'blocks', eager: true });

const blocks = [
  ...own.map((block) => ({ ...block, module: null })),
  ...features.flatMap(({ name }) =>
    (files[`../../features/${name}/home.ts`] ?? []).map((block) => ({ ...block, module: name })),
  ),
].sort((one, other) => one.order - other.order);

/** The home page: blocks of the enabled features, in their order. */
export default function HomePage() {
  const { product, edition, modules } = useSite();
  const text = useApi<PageText>('/pages/home/').data;
  const about = [edition.name || product.full_name, product.city, edition.dates_text].filter(Boolean).join(', ');
  return (
    <>
      <Head
        title={`${product.full_name}${edition.dates_text ? ` · ${edition.dates_text}` : ''}`}
        description={`${about}.${product.tagline ? ` ${product.tagline}.` : ''}`}
        image={text?.image}
        preload={{ wide: text?.image ?? null, small: text?.image_small }}
      />
      {blocks.map(
        ({ module, order, Block }) => (module === null || modules[module]) && <Block key={`${module}-${order}`} />,
      )}
    </>
  );
}
