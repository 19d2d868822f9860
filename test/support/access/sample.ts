/** Some of all requests to a route, evenly spread from a place that depends on its name: the same ones in every run. */
export function sample<T>(all: readonly T[], most: number, name: string): T[] {
  if (all.length <= most) return [...all];
  const offset = [...name].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  const step = all.length / most;
  return Array.from({ length: most }, (_, index) => all[Math.floor(index * step + offset) % all.length] as T);
}
