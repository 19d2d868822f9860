import type { BuildFormFactor, StoreNumber, StoreNumbers } from '../../common/build-numbers.js';

/** The step between the version codes of splits, the files of one release for different processors. */
const SPLIT_STEP = 1000;
/** Processors have one digit. */
const MAX_SPLIT = 9;

/** Prefixes of tracks, as Google Play names those of form factors. */
const PREFIXES: readonly (readonly [string, BuildFormFactor])[] = [
  ['wear:', 'wear'],
  ['tv:', 'tv'],
  ['automotive:', 'automotive'],
];

/** The version codes that Google Play has for an app. */
export interface AppVersionCodes {
  /** Of all tracks. */
  readonly releases: readonly { readonly track: string; readonly versionCodes: readonly number[] }[];
  /** Of all files that were uploaded, in any order. */
  readonly files: readonly number[];
}

/** A version code that was submitted. */
export interface SubmittedCode {
  readonly code: number;
  /** `null`: it is not known. */
  readonly track: string | null;
}

/** A version code, and the build number that it follows from: another one for splits. */
interface CodeInStore extends StoreNumber {
  readonly code: number;
  readonly formFactor: BuildFormFactor;
}

/** The devices that a track is for. */
export function formFactorOf(track: string): BuildFormFactor {
  return PREFIXES.find(([prefix]) => track.startsWith(prefix))?.[1] ?? 'phone';
}

/**
 * What counts for a build of a form factor. A file that no track has is of the kind of the nearest version code that a track
 * has, because a release that another one has replaced is below it.
 */
export function countVersionCodes(
  { releases, files }: AppVersionCodes,
  submitted: readonly SubmittedCode[],
  formFactor: BuildFormFactor,
): StoreNumbers {
  const released = releases.flatMap(({ track, versionCodes }) => ofRelease(track, versionCodes));
  const onTracks = new Set(released.map(({ code }) => code));
  const others = [...new Set(files)].filter((code) => !onTracks.has(code));
  const inStore = [...released, ...others.map((code) => ofFile(code, released, formFactor))];
  const own = inStore.filter((found) => found.formFactor === formFactor);
  return {
    inStore: highestOf(own),
    submitted: submitted
      .filter(({ track }) => track === null || formFactorOf(track) === formFactor)
      .map(({ code }) => numberOf(code, own))
      .reduce<number | null>((highest, number) => Math.max(highest ?? 0, number), null),
    other: highestOf(inStore.filter((found) => found.formFactor !== formFactor)),
    used: [...new Set([...inStore, ...submitted].map(({ code }) => code))],
  };
}

function ofRelease(track: string, versionCodes: readonly number[]): CodeInStore[] {
  return versionCodes.map((code) => {
    const splits = splitsWith(code, versionCodes);
    const number = splits.length === 1 ? code : baseOf(splits);
    const shown =
      splits.length === 1
        ? `${code} on the track ${track}`
        : `${number} on the track ${track}, with the splits ${splits.join(', ')}`;
    return { code, number, formFactor: formFactorOf(track), shown };
  });
}

/** The version codes of a release that differ from one by the steps of splits, in order, with itself. */
function splitsWith(code: number, versionCodes: readonly number[]): number[] {
  const sameStep = versionCodes
    .filter((other) => (other - code) % SPLIT_STEP === 0)
    .toSorted((a, b) => a - b);
  const lowest = sameStep.find((other) => code - other <= MAX_SPLIT * SPLIT_STEP) ?? code;
  return sameStep.filter((other) => other >= lowest && other - lowest <= MAX_SPLIT * SPLIT_STEP);
}

/** What splits follow from: the file for all processors, else what Flutter makes 1021, 2021 and 4021 of: 21. */
function baseOf(splits: readonly number[]): number {
  const [lowest = 0] = splits;
  const steps = splits.map((code) => (code - lowest) / SPLIT_STEP).join();
  return steps === '0,1,3' && lowest > SPLIT_STEP ? lowest - SPLIT_STEP : lowest;
}

function ofFile(code: number, released: readonly CodeInStore[], formFactor: BuildFormFactor): CodeInStore {
  const number = numberOf(code, released);
  return {
    code,
    number,
    formFactor: nearestOf(code, released)?.formFactor ?? formFactor,
    shown: `${number} in a file that no track has${number === code ? '' : ` (as ${code})`}`,
  };
}

/** The build number of a version code, as that of the nearest one in the store follows from its own. */
function numberOf(code: number, inStore: readonly CodeInStore[]): number {
  const nearest = nearestOf(code, inStore);
  return nearest === undefined ? code : Math.max(code - (nearest.code - nearest.number), 0);
}

function nearestOf(code: number, inStore: readonly CodeInStore[]): CodeInStore | undefined {
  const distanceOf = (other: CodeInStore): number => Math.abs(other.code - code);
  return inStore.reduce<CodeInStore | undefined>(
    (nearest, other) => (nearest === undefined || distanceOf(other) < distanceOf(nearest) ? other : nearest),
    undefined,
  );
}

function highestOf(numbers: readonly StoreNumber[]): StoreNumber | null {
  const [first, ...others] = numbers;
  if (first === undefined) return null;
  const { number, shown } = others.reduce(
    (highest, other) => (other.number > highest.number ? other : highest),
    first,
  );
  return { number, shown };
}
