/** The radio buttons of a question of the review. */
function choicesOf(question: HTMLFieldSetElement | undefined): HTMLInputElement[] {
  return [...(question?.querySelectorAll<HTMLInputElement>('input[type="radio"]') ?? [])];
}

/** Whether a key is a part of a text, or of a link or button that has the focus. */
function isUsedElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('textarea, select, a, button, summary, input:not([type="radio"])') !== null
  );
}

/**
 * The keys of a review: a digit answers the question that has the focus, or else the first one without an answer, with
 * the choice at this place; 0 is the last choice of a score, to abstain. The next question follows, and Enter saves.
 */
export function review(event: KeyboardEvent): void {
  const form = document.querySelector<HTMLFormElement>('form.review');
  if (!form || event.ctrlKey || event.metaKey || event.altKey || isUsedElsewhere(event.target)) return;
  if (event.key === 'Enter') {
    event.preventDefault();
    form.requestSubmit(form.querySelector<HTMLButtonElement>('button[value="next"]'));
    return;
  }
  if (!/^[0-9]$/.test(event.key)) return;
  const questions = [...form.querySelectorAll('fieldset')];
  const focused = questions.findIndex((question) => question.contains(document.activeElement));
  const open = questions.findIndex((question) => !choicesOf(question).some((choice) => choice.checked));
  const place = focused < 0 ? open : focused;
  const choices = choicesOf(questions[place]);
  const scores = choices.filter((choice) => choice.value !== 'abstain');
  const chosen =
    event.key === '0' ? choices.find((choice) => choice.value === 'abstain') : scores[Number(event.key) - 1];
  if (!chosen) return;
  event.preventDefault();
  chosen.click();
  const next = choicesOf(questions[place + 1]);
  (next.find((choice) => choice.checked) ?? next[0] ?? chosen).focus();
}
