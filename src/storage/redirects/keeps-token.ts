/**
 * Whether some client sends its token along when it is redirected: axios does to the same host and to those below it. The
 * store would reject it, besides the signature, and should not see it.
 *
 * @param from the origin that the client talks to
 * @param to the address that it is redirected to
 */
export function keepsToken(from: string, to: string): boolean {
  const [host, target] = [new URL(from).host, new URL(to).host];
  return target === host || target.endsWith(`.${host}`);
}
