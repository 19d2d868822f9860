import { errorCatalogue, type ErrorCodeOf } from './catalogue/error-catalogue.js';

type NotFoundCode = ErrorCodeOf<404>;

type Words<S extends string> = S extends `${infer First}_${infer Rest}` ? `${First} ${Words<Rest>}` : S;
type Camel<S extends string> = S extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : S;
type Missing = NotFoundCode extends infer Code
  ? Code extends `${infer What}_not_found`
    ? What
    : never
  : never;

/** An object that the catalogue has a 404 for, in words: `Channel`, `Build artifact`. */
export type NotFoundName = Capitalize<Words<Missing>>;

/** A parameter of the path that holds the id of such an object: `channelId`, `buildArtifactId`. */
export type IdParamName = `${Camel<Missing>}Id`;

/** `Build artifact` becomes `build_artifact_not_found`. */
export function notFoundCodeOf(name: NotFoundName): NotFoundCode {
  return `${name.toLowerCase().replaceAll(' ', '_')}_not_found` as NotFoundCode;
}

/**
 * The words for a name in camel case: `BuildArtifact` and `buildArtifact` become `Build artifact`.
 *
 * @throws Error when the catalogue has no 404 for it
 */
export function notFoundNameOf(camelCase: string): NotFoundName {
  const words = camelCase.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const name = (words.charAt(0).toUpperCase() + words.slice(1)) as NotFoundName;
  if (!(notFoundCodeOf(name) in errorCatalogue)) throw new Error(`There is no error for a missing ${words}.`);
  return name;
}
