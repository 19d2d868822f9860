export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

/**
 * What is wrong with a new password, as a sentence; `null`: nothing. Only the length matters, as NIST SP 800-63B
 * advises.
 */
export function passwordProblem(password: string): string | null {
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
  return null;
}

/** As `passwordProblem`, of a password that was typed twice. */
export function newPasswordProblem(typed: {
  readonly password: string;
  readonly repeated: string;
}): string | null {
  return typed.password === typed.repeated
    ? passwordProblem(typed.password)
    : 'The two new passwords are not the same.';
}
