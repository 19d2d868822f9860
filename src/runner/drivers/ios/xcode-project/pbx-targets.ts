import { StepError } from '../../../steps/build-run.js';
import { field, type Identified, type PbxObject, type PbxObjects, textOf } from './pbx-objects.js';

/** More than any app has: each of them needs a profile. */
const MAX_EMBEDDED = 100;
const PREFIX = 'com.apple.product-type.';
/** Products that people start on a phone. */
const APPS = ['application', 'application.messages', 'application.watchapp2-container'];
/** Products with a profile that apps embed: extensions, app clips and apps of a watch. */
const EMBEDDED = [
  'app-extension',
  'app-extension.intents-service',
  'app-extension.messages',
  'app-extension.messages-sticker-pack',
  'application.on-demand-install-capable',
  'application.watchapp',
  'application.watchapp2',
  'extensionkit-extension',
  'watchkit-extension',
  'watchkit2-extension',
];
const ON_WATCHES = /watch(app|kit)2?(-extension)?$/;

/** All targets of a project that have a product. */
export function targetsOf(objects: PbxObjects, project: PbxObject): Identified[] {
  return objects.findAll(field(project, 'targets'), 'PBXNativeTarget');
}

export function nameOf({ object }: Identified): string {
  return textOf(field(object, 'name')) ?? '';
}

/** A name of a project, in messages. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

export function isApp(target: Identified): boolean {
  return APPS.includes(productOf(target));
}

/** The SDK that builds a target for devices. */
export function sdkOf(target: Identified): 'iphoneos' | 'watchos' {
  return ON_WATCHES.test(productOf(target)) ? 'watchos' : 'iphoneos';
}

/**
 * What an app embeds, directly or in something embedded, as far as it has a profile: what its phases copy, not what it only
 * depends on.
 *
 * @param targets of the project
 * @throws StepError when there is too much
 */
export function embeddedIn(
  objects: PbxObjects,
  targets: readonly Identified[],
  app: Identified,
): Identified[] {
  const byProduct = new Map(
    targets
      .filter((target) => EMBEDDED.includes(productOf(target)))
      .map((target) => [textOf(field(target.object, 'productReference')) ?? '', target]),
  );
  const found = new Map([[app.id, app]]);
  // Grows while it is gone through.
  for (const { object } of found.values()) {
    for (const product of copiedBy(objects, object)) {
      const target = byProduct.get(product);
      if (target !== undefined) found.set(target.id, target);
    }
    if (found.size > MAX_EMBEDDED) {
      throw new StepError(
        'configuration',
        `The target ${quoted(nameOf(app))} embeds more than ${MAX_EMBEDDED} targets.`,
      );
    }
  }
  return [...found.values()].slice(1);
}

/** The products that a target copies into its own. */
function copiedBy(objects: PbxObjects, target: PbxObject): string[] {
  return objects
    .findAll(field(target, 'buildPhases'), 'PBXCopyFilesBuildPhase')
    .flatMap(({ object }) => objects.findAll(field(object, 'files'), 'PBXBuildFile'))
    .filter(({ object }) => isForPhones(object))
    .flatMap(({ object }) => textOf(field(object, 'fileRef')) ?? []);
}

/** Files can be for Mac Catalyst only. */
function isForPhones(file: PbxObject): boolean {
  const one = textOf(field(file, 'platformFilter'));
  const several = field(file, 'platformFilters');
  const filters = one === null ? (Array.isArray(several) ? several : []) : [one];
  return filters.length === 0 || filters.some((filter) => filter === 'ios' || filter === 'watchos');
}

function productOf({ object }: Identified): string {
  const type = textOf(field(object, 'productType')) ?? '';
  return type.startsWith(PREFIX) ? type.slice(PREFIX.length) : '';
}
