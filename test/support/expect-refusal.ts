import { AppError } from '../../src/common/errors/app-error.js';

/** Requires that work is refused with a 400 of this code, and a message that contains the text. */
export function expectRefusal(work: () => unknown, code: string, text: string): void {
  let refusal: unknown;
  try {
    work();
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ status: 400, code, message: expect.stringContaining(text) });
}
