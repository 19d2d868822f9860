import type { Resource } from './document.ts';
import type { Query } from './query.ts';

/** Whether a value fits a filter. @param values `null`: there is no filter */
export function isOneOf(values: readonly string[] | null, value: string): boolean {
  return values === null || values.includes(value);
}

/** In the order that the query asks for; texts are compared as texts. */
export function sorted(resources: readonly Resource[], { sort }: Query): Resource[] {
  return resources.toSorted((one, other) => {
    for (const field of sort) {
      const name = field.replace(/^-/, '');
      const [first, second] = [one, other].map(({ attributes }) => String(attributes[name] ?? ''));
      const order = (first ?? '') < (second ?? '') ? -1 : Number(first !== second);
      if (order !== 0) return field === name ? order : -order;
    }
    return 0;
  });
}
