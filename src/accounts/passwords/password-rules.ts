import { isGuessable } from './guessable.js';

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

/**
 * What is wrong with a new password, as a sentence; `null`: nothing. It must be long enough and not easy to guess, as
 * NIST SP 800-63B advises; its kinds of characters do not matter.
 *
 * @param email of its user, which it must not consist of
 */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  // Characters as people count them, not UTF-16 units.
  const { length } = Array.from(password);
  if (length < MIN_PASSWORD_LENGTH) {
    return `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`;
  }
  if (length > MAX_PASSWORD_LENGTH)
    return `The password must have at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (password.includes('\0') || !password.isWellFormed()) {
    return 'The password contains a character that cannot be used.';
  }
  if (await isGuessable(password, email)) {
    return 'The password is too easy to guess. Use a few unusual words that do not belong together.';
  }
  return null;
}

/** As `passwordProblem`, of a password that was typed twice. */
export async function newPasswordProblem(
  typed: { readonly password: string; readonly repeated: string },
  email: string,
): Promise<string | null> {
  return typed.password === typed.repeated
    ? passwordProblem(typed.password, email)
    : 'The two new passwords are not the same.';
}
