/** Characters of a line of PEM. */
const LINE = 64;
const BLOCK = /-----BEGIN ([A-Z ]{1,40})-----(.*?)-----END \1-----/s;
/** Line breaks as they are, and as forms and variables write them. */
const BREAKS = /\s+|\\{1,8}[nrt]/g;

/**
 * The one PEM block of a text in its usual lines, whatever became of them: indented, joined, parted by blanks, or with line
 * breaks that are written as `\n`. Text around the block is left out.
 *
 * @param label such as `PRIVATE KEY`
 * @returns `null`: the text has several blocks, or none that is whole and has this label
 */
export function plainPem(text: string, label: string): string | null {
  if (text.split('-----BEGIN').length !== 2) return null;
  const [, found, body = ''] = BLOCK.exec(text) ?? [];
  const base64 = body.replace(BREAKS, '');
  if (found !== label || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  return pemOf(base64, label);
}

/** @param base64 of what a PEM block has */
export function pemOf(base64: string, label: string): string {
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
