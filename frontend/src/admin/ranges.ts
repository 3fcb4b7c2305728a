/** With Shift, a tick in `table` holds for all rows since the last one that was ticked. */
export function selectRanges(table: HTMLElement): void {
  let last = -1;
  table.addEventListener('click', (event) => {
    const boxes = [...table.querySelectorAll<HTMLInputElement>('input[name="row"]')];
    const index = boxes.indexOf(event.target as HTMLInputElement);
    const { checked } = boxes[index] ?? {};
    if (checked === undefined) return;
    if (event.shiftKey && last >= 0) {
      for (const box of boxes.slice(Math.min(last, index), Math.max(last, index) + 1)) box.checked = checked;
    }
    last = index;
  });
}
