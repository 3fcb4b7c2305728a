import { type PageText, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Blocks, inOrder, pageBlocks } from './blocks';
import { Hero } from './hero';
import { Marquee } from './marquee';

const blocks = inOrder([
  ...pageBlocks,
  // Blocks that need only the site itself.
  { order: 10, module: null, Block: Hero },
  { order: 30, module: null, Block: Marquee },
]);

/** The home page: blocks of the enabled features, in their order. */
export default function HomePage() {
  const { product, edition } = useSite();
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
      <Blocks of={blocks} />
    </>
  );
}
