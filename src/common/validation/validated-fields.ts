import { getMetadataStorage } from 'class-validator';

/** The names of the validated fields of a DTO class, which are those that a request can have. */
export function validatedFields(dto: unknown): string[] {
  const validations = getMetadataStorage().getTargetValidationMetadatas(
    dto as new () => object,
    '',
    false,
    false,
  );
  return [...new Set(validations.map(({ propertyName }) => propertyName))];
}
