/**
 * Paths that cannot coexist on every device: file systems of Windows and macOS ignore case, Apple's treat `é` and `e`
 * with an accent as equal, and no file can also be a folder.
 *
 * @param paths of files
 * @returns what is wrong, each without a full stop
 */
export function findPathConflicts(paths: readonly string[]): string[] {
  const problems: string[] = [];
  const files = new Map<string, string>();
  for (const path of paths) {
    const key = pathKey(path);
    const other = files.get(key);
    if (other === path) problems.push(`${path} is there twice`);
    else if (other !== undefined) {
      problems.push(`${path} and ${other} differ in case or in the form of their Unicode characters only`);
    } else files.set(key, path);
  }
  for (const [key, path] of files) {
    for (let end = key.indexOf('/'); end !== -1; end = key.indexOf('/', end + 1)) {
      const folder = files.get(key.slice(0, end));
      if (folder !== undefined) problems.push(`${folder} is a file and the folder of ${path}`);
    }
  }
  return problems;
}

/**
 * A path in the form in which file systems that ignore case and accents compare it. Upper case first: it makes `SS` of
 * `ß`.
 */
function pathKey(path: string): string {
  return path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFD');
}
