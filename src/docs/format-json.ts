/** Longest line, in characters with its indentation. */
const WIDTH = 240;

/**
 * JSON with one line for each object or array that fits, else one for each entry. Half the size of the usual form, and
 * diffs stay readable.
 */
export function formatJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const [open, lines, close] = Array.isArray(value)
    ? (['[', value.map((entry) => inner + formatJson(entry, inner)), ']'] as const)
    : (['{', Object.entries(value).flatMap((entry) => formatEntry(entry, inner)), '}'] as const);
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function formatEntry([key, value]: [string, unknown], indent: string): string[] {
  return value === undefined ? [] : [`${indent}${JSON.stringify(key)}: ${formatJson(value, indent)}`];
}
