/** Path prefix of the pages: "/archive/2024" in the archive, otherwise empty. */
export let base = '';
/** Whether the site shows a past edition: in the archive, or as frozen files without a server program. */
export let isPast = false;

/** Sets the edition of the pages, before the first of them is rendered. */
export function showEdition(boot: { base: string; past: boolean }) {
  base = boot.base;
  isPast = boot.past;
}
