import type { Locator, Page } from 'playwright-core';

/** How a person works with a page. Only what is on it can be used, and what is typed goes where the focus is. */
export interface Hands {
  /** A button, a link or a box. */
  press(target: Locator): Promise<void>;
  /** Replaces what is in a field. */
  write(field: Locator, text: string): Promise<void>;
}

/** The mouse alone; keys only for what is typed. */
export const mouseOf = (page: Page): Hands => ({
  press: (target) => target.click(),
  write: async (field, text) => {
    await field.click({ clickCount: 3 });
    await page.keyboard.type(text);
  },
});

/** Presses of a key within which everything on a page is reached. */
const MOST_PRESSES = 80;

/** The keyboard alone: no script moves the focus. */
export const keyboardOf = (page: Page): Hands => {
  const reach = async (target: Locator): Promise<void> => {
    for (let presses = 0; presses < MOST_PRESSES;) {
      // Found once, as long as it is on the page: looking for it by its name takes longer than a press.
      const element = (await target.elementHandle())!;
      for (; presses < MOST_PRESSES; presses += 1) {
        const { hasFocus, isThere } = await element.evaluate((node) => ({
          hasFocus: node === node.ownerDocument!.activeElement,
          isThere: node.isConnected,
        }));
        if (hasFocus) return;
        if (!isThere) break;
        await page.keyboard.press('Tab');
      }
    }
    throw new Error(`The tab key does not reach ${String(target)}.`);
  };
  return {
    press: async (target) => {
      await reach(target);
      const isBox = (await target.getAttribute('type')) === 'checkbox';
      await page.keyboard.press(isBox ? 'Space' : 'Enter');
    },
    write: async (field, text) => {
      await reach(field);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
  };
};
