import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

/**
 * Reads the values of a form by the rules of a DTO of the API, so that a page accepts exactly what the API accepts.
 *
 * @returns `null` when a value breaks a rule
 */
export function parseForm<T extends object>(dto: ClassConstructor<T>, values: object): T | null {
  const parsed = plainToInstance(dto, values);
  return validateSync(parsed).length === 0 ? parsed : null;
}
