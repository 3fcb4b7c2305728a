/** Warns before leaving a form with unsaved changes. */

/** Whether a form is submitted for a preview in a new tab: its own page stays open. */
export function isPreview(event: SubmitEvent): boolean {
  return event.submitter instanceof HTMLButtonElement && event.submitter.formTarget === '_blank';
}

/** Asks for confirmation before `form` is left with unsaved changes. */
export function guard(form: HTMLFormElement): void {
  let changed = false;
  form.addEventListener('input', () => (changed = true));
  form.addEventListener('submit', (event) => {
    if (!isPreview(event)) changed = false;
  });
  addEventListener('beforeunload', (event) => {
    if (changed) event.preventDefault();
  });
}
