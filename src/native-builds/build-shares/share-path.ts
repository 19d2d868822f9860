/** The path of the pages of shares. The official CLI prints it. */
export const SHARES_PATH = '/app-build-shares';

/** The path of the page of a share. */
export function sharePath(id: string): string {
  return `${SHARES_PATH}/${id}`;
}
