import { isPackageName } from '../../configurations/package-name.js';
import type { FormFactor } from '../../artifact-details/artifact-details.entity.js';
import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import { cleanText } from '../clean-text.js';
import type { AppPackage } from './app-package.js';
import { findIcon } from './find-icon.js';
import { ATTRIBUTE, type XmlAttribute, type XmlNode } from './xml-node.js';

/** Resources can lead to other ones; longer ways are not followed. */
const MAX_STEPS = 8;

/** Features that only devices of a kind have. */
const FORM_FACTORS: ReadonlyMap<string, FormFactor> = new Map([
  ['android.hardware.type.watch', 'wear'],
  ['android.software.leanback', 'tv'],
  ['android.hardware.type.television', 'tv'],
  ['android.hardware.type.automotive', 'automotive'],
]);

/**
 * What an app for Android says about itself, in either kind of package.
 *
 * @throws ArtifactProblem when the manifest is of no app
 */
export async function readAppFacts(app: AppPackage): Promise<Omit<ArtifactFacts, 'signer'>> {
  const { manifest } = app;
  if (manifest.name !== 'manifest') throw new ArtifactProblem('its AndroidManifest.xml is no manifest');
  const packageName = manifest.attributes.get('package')?.text ?? '';
  if (!isPackageName(packageName)) throw new ArtifactProblem('its manifest has no valid package name');
  const application = childrenOf(manifest, 'application')[0];
  const sdks = childrenOf(manifest, 'uses-sdk');
  const sdkOf = (attribute: number): number | null =>
    sdks.map(({ attributes }) => integerOf(attributes.get(attribute))).find((sdk) => sdk !== null) ?? null;
  const textOf = (node: XmlNode | undefined, attribute: number): string | null =>
    resolveText(app, node?.attributes.get(attribute));
  return {
    packageName,
    versionName: textOf(manifest, ATTRIBUTE.versionName),
    versionCode: versionCodeOf(manifest),
    // Without it, Android assumes 1.
    minSdkVersion: sdkOf(ATTRIBUTE.minSdkVersion),
    targetSdkVersion: sdkOf(ATTRIBUTE.targetSdkVersion),
    minOsVersion: null,
    applePlatform: null,
    usesNonExemptEncryption: null,
    label: textOf(application, ATTRIBUTE.label),
    formFactor: formFactorOf(app),
    debuggable: isTrue(application?.attributes.get(ATTRIBUTE.debuggable)),
    icon: await findIcon(app, application?.attributes.get(ATTRIBUTE.icon)?.reference ?? null),
  };
}

function childrenOf(node: XmlNode, name: string): XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

/** The major part is the upper half of 64 bits. */
function versionCodeOf({ attributes }: XmlNode): string | null {
  const code = integerOf(attributes.get(ATTRIBUTE.versionCode));
  if (code === null) return null;
  const major = integerOf(attributes.get(ATTRIBUTE.versionCodeMajor)) ?? 0;
  return String((BigInt(major) << 32n) | BigInt(code >>> 0));
}

function formFactorOf({ manifest }: AppPackage): FormFactor | null {
  for (const { attributes } of childrenOf(manifest, 'uses-feature')) {
    const factor = FORM_FACTORS.get(attributes.get(ATTRIBUTE.name)?.text ?? '');
    const required = attributes.get(ATTRIBUTE.required);
    if (factor !== undefined && (required === undefined || isTrue(required))) return factor;
  }
  return null;
}

/** @returns `null`: it is absent, or the name of a version that is not released */
function integerOf(attribute: XmlAttribute | undefined): number | null {
  if (attribute === undefined) return null;
  if (attribute.integer !== null) return attribute.integer;
  return /^\d{1,9}$/.test(attribute.text ?? '') ? Number(attribute.text) : null;
}

function isTrue(attribute: XmlAttribute | undefined): boolean {
  return attribute?.boolean ?? attribute?.text === 'true';
}

/** A text, also of a resource: its default one, else any. */
function resolveText(app: AppPackage, attribute: XmlAttribute | undefined): string | null {
  if (attribute === undefined) return null;
  if (attribute.reference === null) {
    return cleanText(attribute.text ?? (attribute.integer === null ? null : String(attribute.integer)));
  }
  let id = attribute.reference;
  for (let step = 0; step < MAX_STEPS; step++) {
    const values = app.valuesOf(id);
    const { value } = values.find(({ isDefault }) => isDefault) ?? values[0] ?? { value: null };
    if (typeof value !== 'number') return cleanText(value);
    id = value;
  }
  return null;
}
