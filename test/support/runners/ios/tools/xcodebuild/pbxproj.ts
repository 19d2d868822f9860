import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from '@bacons/xcode/json';
import { Refused } from '../refused.ts';

type Settings = Readonly<Record<string, string>>;
type PbxObject = Readonly<Record<string, unknown>>;

/** A target that makes an app or an extension. */
export interface BuiltTarget {
  readonly id: string;
  readonly name: string;
  readonly productType: string;
  /** Of the configuration, with variables replaced. */
  readonly settings: Settings;
  /** What it depends on and embeds. */
  readonly embedded: readonly BuiltTarget[];
}

/** A project.pbxproj as Xcode reads it, as far as the stand-in needs it. */
export class PbxProject {
  /** Absolute: the folder of the .xcodeproj. */
  readonly folder: string;
  readonly path: string;
  private readonly objects: Readonly<Record<string, PbxObject>>;
  private readonly root: PbxObject;

  constructor(path: string) {
    this.path = path;
    this.folder = dirname(path);
    const { objects, rootObject } = parse(readFileSync(join(path, 'project.pbxproj'), 'utf8'));
    this.objects = objects as unknown as Record<string, PbxObject>;
    this.root = this.objects[rootObject as string] ?? {};
  }

  /** The targets with such ids or names. @param wanted `null`: all */
  targets(configuration: string, wanted: (id: string, name: string) => boolean): BuiltTarget[] {
    return this.list(this.root, 'targets')
      .filter((id) => this.objects[id]?.['isa'] === 'PBXNativeTarget')
      .filter((id) => wanted(id, String(this.objects[id]?.['name'])))
      .map((id) => this.target(id, configuration));
  }

  /** Whether it gets Swift packages. */
  get hasPackages(): boolean {
    return this.list(this.root, 'packageReferences').length > 0;
  }

  private target(id: string, configuration: string): BuiltTarget {
    const target = this.objects[id] ?? {};
    const name = String(target['name']);
    const dependencies = this.list(target, 'dependencies').map((key) => this.objects[key]?.['target']);
    return {
      id,
      name,
      productType: String(target['productType']),
      settings: this.settings(target, configuration),
      embedded: dependencies
        .filter((key): key is string => typeof key === 'string')
        .map((key) => this.target(key, configuration)),
    };
  }

  /** Settings of the target win over those of the project. Both may begin with an .xcconfig file. */
  private settings(target: PbxObject, configuration: string): Settings {
    const layers = [this.root, target].map((owner) => this.configuration(owner, configuration));
    const [project = {}, own = {}] = layers;
    const name = String(target['name']);
    const all: Record<string, string> = { TARGET_NAME: name, PRODUCT_NAME: name, ...project };
    for (const [key, value] of Object.entries(own)) {
      all[key] = value.replaceAll('$(inherited)', all[key] ?? '');
    }
    const resolve = (text: string, depth = 0): string =>
      depth > 10
        ? text
        : text.replaceAll(/\$[({](\w+)(?::\w+)?[)}]/g, (_all, key: string) =>
            resolve(all[key] ?? '', depth + 1),
          );
    return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, resolve(value)]));
  }

  private configuration(owner: PbxObject, name: string): Record<string, string> {
    const list = this.objects[String(owner['buildConfigurationList'])] ?? {};
    const found = this.list(list, 'buildConfigurations')
      .map((id) => this.objects[id] ?? {})
      .find((object) => object['name'] === name);
    if (found === undefined) {
      throw new Refused(
        `xcodebuild: error: The project named "${relative('.', this.path)}" does not contain a build configuration named "${name}".`,
        65,
      );
    }
    const settings = (found['buildSettings'] ?? {}) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)]));
  }

  private list(object: PbxObject, key: string): string[] {
    const value = object[key];
    return Array.isArray(value) ? value.map(String) : [];
  }
}
