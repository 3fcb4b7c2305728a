import type { Page } from '@playwright/test';

/** The names of all elements of a role, in the order of the page, as Chromium hands them to screen readers. */
export async function spoken(page: Page, role: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.filter((node) => !node.ignored && node.role?.value === role).map((node) => String(node.name?.value ?? ''));
}
