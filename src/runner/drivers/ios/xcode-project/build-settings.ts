import { expand, type Lookup } from './expand-settings.js';
import { isMet, type SettingContext, settingNameOf } from './setting-conditions.js';

/** Settings of one level, such as those of a target: the value by the name with its conditions, in the order of the file. */
export type SettingLevel = readonly (readonly [string, string])[];

/** The build settings of a target in one configuration. */
export class BuildSettings {
  private readonly levels: readonly ReadonlyMap<string, string>[];

  /**
   * @param levels the first wins: the target, its xcconfig, the project, its xcconfig, what Xcode sets
   */
  constructor(levels: readonly SettingLevel[], context: SettingContext) {
    this.levels = levels.map((level) => valuesIn(level, context));
  }

  /** What Xcode would make of it: the value without variables. @returns `null`: it cannot be found out */
  resolve(name: string): string | null {
    return this.expand(`$(${name})`);
  }

  /** As `resolve`, for a text with variables, such as one of Info.plist. */
  expand(text: string): string | null {
    return expand(text, (name, skipped) => this.lookUp(name, skipped))?.trim() ?? null;
  }

  /** The value with its variables. @returns `null`: it is not set */
  raw(name: string): string | null {
    return this.lookUp(name, 0)?.value ?? null;
  }

  private lookUp(name: string, skipped: number): ReturnType<Lookup> {
    for (let level = skipped; level < this.levels.length; level++) {
      const value = this.levels[level]?.get(name);
      if (value !== undefined) return { value, level };
    }
    return null;
  }
}

/** Values with conditions win over those without, and later ones over earlier ones. */
function valuesIn(level: SettingLevel, context: SettingContext): ReadonlyMap<string, string> {
  const plain = new Map<string, string>();
  const conditional = new Map<string, string>();
  for (const [text, value] of level) {
    const name = settingNameOf(text);
    if (name === null || !isMet(name, context)) continue;
    (name.conditions.length === 0 ? plain : conditional).set(name.name, value);
  }
  return new Map([...plain, ...conditional]);
}
