/** What a feature adds to the back office, in `admin/index.ts` of its folder: it imports its styles there. */
interface AdminFeature {
  /** Called once on every page. */
  enhance?: () => void;
}

/** The features' additions. This module is imported after core's styles, so that theirs come later in the cascade. */
export const features: AdminFeature[] = Object.values(
  import.meta.glob<AdminFeature>('../features/*/admin/index.ts', { eager: true }),
);
