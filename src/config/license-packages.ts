import { Satisfies } from '../common/validation/satisfies.decorator.js';
import { isUuid } from '../common/validation/uuid.js';

/** A package that license keys can give access to. */
export interface LicensePackage {
  /** A UUID. */
  readonly id: string;
  /** As in a package registry, such as `@acme/camera`. */
  readonly name: string;
  /** For people. */
  readonly displayName: string;
}

/** A list of packages, each complete and with a unique id. */
export function IsLicensePackages(): PropertyDecorator {
  return Satisfies(
    (value) => problemOf(value) === null,
    ({ value }) => `$property must be ${problemOf(value)}`,
  );
}

/** @returns the rule that the value violates; `null`: none */
function problemOf(value: unknown): string | null {
  if (!Array.isArray(value)) return 'a JSON array of {"id", "name", "displayName"}';
  const seen = new Set<string>();
  for (const [index, entry] of (value as unknown[]).entries()) {
    const { id, name, displayName } = (entry ?? {}) as Partial<Record<keyof LicensePackage, unknown>>;
    const where = `(entry ${index + 1} of ${value.length})`;
    if (typeof id !== 'string' || !isUuid(id)) return `a list in which every id is a UUID ${where}`;
    if (!isText(name)) return `a list in which every name is a text ${where}`;
    if (!isText(displayName)) return `a list in which every displayName is a text ${where}`;
    if (seen.has(id.toLowerCase())) return `a list in which every id is unique ${where}`;
    seen.add(id.toLowerCase());
  }
  return null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
