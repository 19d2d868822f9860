import { Transform } from 'class-transformer';

/** Drops the doubles of a list. @param normalize makes items comparable; these are kept */
export function WithoutDoubles(normalize: (value: unknown) => unknown = (value) => value): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? [...new Set(value.map(normalize))] : value,
  );
}
