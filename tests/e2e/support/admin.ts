import { createHmac } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Site } from './program.ts';

/** The password of every test account. */
export const password = 'lantern-ferry-gramophone-42';

/** Creates an account and returns its e-mail address. */
export async function createAccount(site: Site, role: string): Promise<string> {
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.org`;
  await site.runWithInput(`${password}\n`, 'admin', 'create', email, '--name', `The ${role}`, '--role', role, '--password-stdin');
  return email;
}

/** Fills in and submits the sign-in form. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in and opens a page of the back office. */
export async function openAs(page: Page, site: Site, email: string, path = '/admin/'): Promise<void> {
  await page.goto(site.url + path);
  await signIn(page, email);
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
}

/** Presses a key that the page's scripts handle. A page is visible before they have run. */
export async function shortcut(page: Page, keys: string): Promise<void> {
  await page.waitForLoadState('domcontentloaded');
  await page.keyboard.press(keys);
}

/** The authenticator's code for a secret, some steps of thirty seconds from now. */
export function code(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
