import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { build as plist, parse } from 'plist';
import { ZipFile } from 'yazl';
import { parseBuffer } from 'bplist-parser';
import { Refused } from '../refused.ts';
import type { Arguments } from './arguments.ts';
import { type InstalledProfile, installedProfiles } from './installed-profiles.ts';
import { requireFits, requireIdentity } from './signing.ts';
import { isAtLeast, type StandInXcode } from './xcode.ts';

/** "Available keys for -exportOptionsPlist" of `xcodebuild -help`, those for manual signing and iOS. */
const KEYS: Readonly<Record<string, 'string' | 'boolean' | 'object'>> = {
  destination: 'string',
  iCloudContainerEnvironment: 'string',
  manageAppVersionAndBuildNumber: 'boolean',
  method: 'string',
  provisioningProfiles: 'object',
  signingCertificate: 'string',
  signingStyle: 'string',
  stripSwiftSymbols: 'boolean',
  teamID: 'string',
  thinning: 'string',
  uploadSymbols: 'boolean',
};
/** The names of methods since Xcode 15.3 (its release notes), and before. */
const METHODS: Readonly<Record<InstalledProfile['type'], readonly [string, string]>> = {
  development: ['debugging', 'development'],
  'ad-hoc': ['release-testing', 'ad-hoc'],
  'app-store': ['app-store-connect', 'app-store'],
  enterprise: ['enterprise', 'enterprise'],
};

interface Options {
  readonly method: string;
  readonly signingStyle: string;
  readonly signingCertificate: string;
  readonly teamID: string;
  readonly provisioningProfiles: Readonly<Record<string, string>>;
}

/** xcodebuild(1), -exportArchive: with -archivePath, -exportPath and -exportOptionsPlist. @throws Refused */
export async function exportArchive(given: Arguments, xcode: StandInXcode): Promise<void> {
  if (given.actions.length > 0) throw new Refused('xcodebuild: error: -exportArchive takes no action', 64);
  const archive = given.value('-archivePath');
  if (!existsSync(join(archive, 'Info.plist'))) {
    throw new Refused(`error: archive not found at path '${archive}'\n** EXPORT FAILED **`, 66);
  }
  const options = readOptions(given.value('-exportOptionsPlist'));
  const type = typeOf(options.method, xcode);
  const applications = join(archive, 'Products/Applications');
  const [app = ''] = readdirSync(applications);
  const files = filesIn(join(applications, app));
  const profiles = installedProfiles(process.env['HOME'] ?? '', xcode);
  const replaced = new Map<string, Buffer>();
  const infos = files.flatMap((file) => /^(?:.*\.(?:app|appex)\/|)(?=Info\.plist$)/.exec(file)?.[0] ?? []);
  for (const bundle of new Set(infos)) {
    const [info = {}] = parseBuffer<Record<string, unknown>>(
      readFileSync(join(applications, app, bundle, 'Info.plist')),
    );
    const bundleId = String(info['CFBundleIdentifier']);
    replaced.set(`${bundle}embedded.mobileprovision`, sign(app, bundleId, options, type, profiles));
  }
  const exported = given.value('-exportPath');
  mkdirSync(exported, { recursive: true });
  const zip = new ZipFile();
  for (const file of files) {
    const path = join(applications, app, file);
    const bytes = replaced.get(file) ?? readFileSync(path);
    zip.addBuffer(bytes, `Payload/${app}/${file}`, { mode: statSync(path).mode });
  }
  zip.end();
  writeFileSync(join(exported, app.replace(/\.app$/, '.ipa')), await buffer(zip.outputStream));
  // "Archive export files" of Xcode Help.
  writeFileSync(join(exported, 'ExportOptions.plist'), readFileSync(given.value('-exportOptionsPlist')));
  writeFileSync(join(exported, 'DistributionSummary.plist'), plist({}));
  process.stdout.write(`Exported App to: ${exported}\n** EXPORT SUCCEEDED **\n`);
}

function readOptions(path: string): Options {
  if (!existsSync(path))
    throw failed(`Couldn't load -exportOptionsPlist: The file “${path}” couldn’t be opened.`);
  const values = parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== KEYS[key]) throw failed(`exportOptionsPlist error for key "${key}": unexpected`);
  }
  if (values['destination'] !== 'export' || values['signingStyle'] !== 'manual') {
    throw failed('exportOptionsPlist error: only a manual export is known here');
  }
  return values as unknown as Options;
}

function typeOf(method: string, xcode: StandInXcode): InstalledProfile['type'] {
  const names = Object.entries(METHODS) as [InstalledProfile['type'], readonly [string, string]][];
  const index = isAtLeast(xcode, '15.3') ? 0 : 1;
  const found = names.find(([, methods]) => methods[index] === method);
  if (found !== undefined) return found[0];
  const expected = names.map(([, methods]) => methods[index]).join(', ');
  throw failed(`exportOptionsPlist error for key "method" expected one {${expected}} but found ${method}`);
}

/** @returns the profile */
function sign(
  app: string,
  bundleId: string,
  options: Options,
  type: InstalledProfile['type'],
  profiles: readonly InstalledProfile[],
): Buffer {
  const wanted = options.provisioningProfiles[bundleId];
  if (wanted === undefined)
    throw failed(`exportArchive "${app}" requires a provisioning profile. (${bundleId})`);
  const profile = profiles.find(({ uuid, name }) => uuid === wanted || name === wanted);
  if (profile?.teamId !== options.teamID) throw failed(`exportArchive No profile matching '${wanted}' found`);
  if (profile.type !== type) {
    throw failed(
      `exportArchive Provisioning profile "${profile.name}" is not of the method ${options.method}.`,
    );
  }
  requireIdentity(app, options.signingCertificate, null);
  requireFits(app, bundleId, profile, options.signingCertificate);
  return profile.bytes;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

function failed(message: string): Refused {
  return new Refused(`error: ${message}\n** EXPORT FAILED **`, 70);
}
