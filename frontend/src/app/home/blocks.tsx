import { useSite } from '@/shared/api';
import type { HomeBlock } from '@/shared/feature';
import { features } from '../features';

/** The features' blocks by file: only the home page needs their code. */
const files = import.meta.glob<HomeBlock[]>('../../features/*/home.ts', { import: 'blocks', eager: true });

const all = inOrder(
  features.flatMap(({ name }) =>
    (files[`../../features/${name}/home.ts`] ?? []).map((block) => ({ ...block, module: name })),
  ),
);

/** Blocks with the module that each belongs to; null: the site itself. */
type PlacedBlock = HomeBlock & { module: (typeof all)[number]['module'] | null };

export function inOrder<B extends HomeBlock>(blocks: B[]): B[] {
  return blocks.sort((one, other) => one.order - other.order);
}

/** Blocks of the features, one below another. */
export const pageBlocks: PlacedBlock[] = all.filter(({ within }) => within === undefined);

/** Blocks of the features in the hero. */
export const heroBlocks: PlacedBlock[] = all.filter(({ within }) => within === 'hero');

/** Blocks of the enabled modules. */
export function Blocks({ of }: { of: PlacedBlock[] }) {
  const { modules } = useSite();
  return of
    .filter(({ module }) => module === null || modules[module])
    .map(({ module, order, Block }) => <Block key={`${module}-${order}`} />);
}
