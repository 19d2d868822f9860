/**
 * The folders that devices may take as the root of the app: that of an `index.html`, and the root of the bundle if it has one.
 * Without it, plugins search all folders and take the first `index.html` that they find.
 *
 * @param paths of files
 * @returns each empty or with a slash at the end, those with the fewest segments first
 */
export function rootFolders(paths: readonly string[]): string[] {
  const folders = paths
    .filter((path) => path.split('/').at(-1) === 'index.html')
    .map((path) => path.slice(0, -'index.html'.length))
    .sort((a, b) => a.split('/').length - b.split('/').length);
  return folders[0] === '' ? [''] : folders;
}
