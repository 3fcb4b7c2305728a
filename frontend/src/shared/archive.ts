/** The path before those of the pages: "/archive/2024" in the archive, else empty. */
export let base = '';
/** Whether the site shows an edition of the past: in the archive, or as files that no program serves. */
export let isPast = false;

/** Says which edition the pages are of; known before the first of them is rendered. */
export function showEdition(boot: { base: string; past: boolean }) {
  base = boot.base;
  isPast = boot.past;
}
