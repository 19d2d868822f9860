/** The fields that the swagger plugin has found in a class and those that it extends. */
export function documentedFields(type: unknown): string[] {
  const fields: string[] = [];
  for (
    let current = type;
    typeof current === 'function';
    current = Object.getPrototypeOf(current) as unknown
  ) {
    const factory = Object.getOwnPropertyDescriptor(current, '_OPENAPI_METADATA_FACTORY')?.value as
      (() => object) | undefined;
    fields.push(...Object.keys(factory?.() ?? {}));
  }
  return fields;
}
