import type { Locator } from '@playwright/test';

/** The number of cells in each row of a grid, and the free space in its last row, in pixels. */
export async function rowsOf(cells: Locator): Promise<{ counts: number[]; open: number }> {
  const boxes = await cells.evaluateAll((all) =>
    all.map((cell) => {
      const { left, right, top } = cell.getBoundingClientRect();
      return { left: Math.round(left), right: Math.round(right), top: Math.round(top) };
    }),
  );
  const rows = [...new Set(boxes.map(({ top }) => top))].map((top) => boxes.filter((box) => box.top === top));
  const right = Math.max(...boxes.map((box) => box.right));
  return { counts: rows.map(({ length }) => length), open: right - (rows.at(-1)?.at(-1)?.right ?? 0) };
}
