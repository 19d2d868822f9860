/** Browsers that claim to be others come before those. */
const browsers = [
  [/\bEdgA?\/\d/, 'Edge'],
  [/\bOPR\/\d/, 'Opera'],
  [/\bFirefox\/\d|\bFxiOS\/\d/, 'Firefox'],
  [/Chrome\/\d|\bCriOS\/\d/, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
] as const;
const systems = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
] as const;

/**
 * What people call a program, from its user agent: `Firefox on Windows`; the unchanged name of a program that is not a
 * browser.
 */
export function programName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program';
  if (!userAgent.startsWith('Mozilla/')) return userAgent;
  const name = (table: readonly (readonly [RegExp, string])[]): string | undefined =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = name(systems);
  return `${name(browsers) ?? 'Browser'}${system === undefined ? '' : ` on ${system}`}`;
}
