import { blocks as festivals } from '@/features/festivals/home';
import { blocks as films } from '@/features/films/home';
import { blocks as forms } from '@/features/forms/home';
import { type ModuleName, type PageText, useApi, useSite } from '@/shared/api';
import type { HomeBlock } from '@/shared/feature';
import { Head, When } from '@/shared/template';
import { own } from './own-blocks';

/** Blocks by the module that switches them; what needs no module is always there. */
const all: [ModuleName | null, HomeBlock[]][] = [
  [null, own],
  ['festivals', festivals],
  ['films', films],
  ['forms', forms],
];

const ordered = all
  .flatMap(([module, blocks]) => blocks.map((block) => ({ ...block, module })))
  .sort((one, other) => one.order - other.order);

/** The home page:  blocks of the enabled features, in their order. */
export default function HomePage() {
  const { product, edition, modules } = useSite();
  const text = useApi<PageText | null>('/pages/home/').data;
  return (
    <>
      <Head
        title={`${product.full_name} · ${edition.dates_text}`}
        description={`${product.tagline} ${edition.name}, ${product.city}, ${edition.dates_text}.`}
        image={text?.image}
        preload={{ wide: text?.image ?? null, small: text?.image_small }}
      />
      {ordered.map(({ module, order, Block }) => (
        <When key={order} value={module === null ? true : modules[module]}>
          <Block />
        </When>
      ))}
    </>
  );
}
