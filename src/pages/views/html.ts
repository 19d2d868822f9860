/** Text that is HTML already and goes into a page unescaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template. All but `Html` is escaped; `null`, `undefined` and `false` are left out. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds HTML. Values are escaped, also inside quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
