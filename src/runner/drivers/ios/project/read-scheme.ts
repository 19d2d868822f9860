import { basename } from 'node:path';
import { attributeOf, tagsOf, type XmlTag } from '../../../steps/overrides/xml-tags.js';
import { textOfXml } from '../../../steps/overrides/xml-text.js';

/** What is done with a scheme: archives are for devices, runs for the simulator. */
export type SchemeAction = 'archive' | 'run';

/** A target that a scheme names. */
export interface SchemeTarget {
  readonly id: string;
  readonly name: string;
  /** The project's file name, such as `App.xcodeproj`. */
  readonly project: string;
}

/** A shared scheme, as far as one of its actions needs it. */
export interface SchemeFile {
  /** The targets that the action builds, in order. */
  readonly built: readonly SchemeTarget[];
  /** What Xcode starts. */
  readonly started: SchemeTarget | null;
  readonly configuration: string;
}

/** The names of files of schemes, and what Xcode takes if they do not say it. */
const ACTIONS = {
  archive: { element: 'ArchiveAction', attribute: 'buildForArchiving', configuration: 'Release' },
  run: { element: 'LaunchAction', attribute: 'buildForRunning', configuration: 'Debug' },
} as const;

/** The configuration of a scheme that Xcode makes itself. */
export function defaultConfiguration(action: SchemeAction): string {
  return ACTIONS[action].configuration;
}

/** Reads a file `.xcscheme`. One that is no scheme builds nothing. */
export function readScheme(xml: string, action: SchemeAction): SchemeFile {
  const { element, attribute, configuration } = ACTIONS[action];
  const built: SchemeTarget[] = [];
  const found = { started: null as SchemeTarget | null, configuration: configuration as string };
  const open = { entry: false, launch: false, runnable: false };
  for (const tag of tagsOf(xml)) {
    const isOpen = tag.kind === 'open';
    if (tag.name === 'BuildActionEntry') open.entry = isOpen && valueOf(tag, attribute) !== 'NO';
    if (tag.name === 'LaunchAction') open.launch = isOpen;
    if (tag.name === 'BuildableProductRunnable') open.runnable = isOpen && open.launch;
    if (tag.name === element && tag.kind !== 'close') {
      found.configuration = valueOf(tag, 'buildConfiguration') ?? configuration;
    }
    if (tag.name !== 'BuildableReference' || tag.kind === 'close') continue;
    if (open.entry) built.push(targetOf(tag));
    if (open.runnable) found.started = targetOf(tag);
  }
  return { built, ...found };
}

function targetOf(tag: XmlTag): SchemeTarget {
  return {
    id: valueOf(tag, 'BlueprintIdentifier') ?? '',
    name: valueOf(tag, 'BlueprintName') ?? '',
    project: basename(valueOf(tag, 'ReferencedContainer')?.replace(/^container:/, '') ?? ''),
  };
}

function valueOf(tag: XmlTag, name: string): string | undefined {
  const value = attributeOf(tag, name)?.value;
  return value === undefined ? undefined : textOfXml(value);
}
