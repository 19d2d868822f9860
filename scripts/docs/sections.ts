/** A page with other content between two comments; the rest stays as it is. @throws Error when they are missing */
export function replaceSection(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`The page has no section between ${begin} and ${end}.`);
  return `${before}${begin}\n\n${content}\n${end}${after}`;
}
