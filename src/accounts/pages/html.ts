/** Text that is HTML already and may stand in a page as it is. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may stand in a template: everything but `Html` is escaped; `null`, `undefined` and `false` are nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds HTML; values are escaped, also inside of quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
