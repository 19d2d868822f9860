/** Query parameters without a value (`?name=`, `?name`) count as absent. */
export function emptyAsAbsent(value: unknown): unknown {
  return value === '' ? undefined : value;
}
