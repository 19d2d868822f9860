/** A build setting as files name it: `CODE_SIGN_IDENTITY[sdk=iphoneos*]`. */
export interface SettingName {
  readonly name: string;
  readonly conditions: readonly SettingCondition[];
}

interface SettingCondition {
  readonly key: string;
  readonly value: string;
}

/** What conditions of settings ask for. */
export interface SettingContext {
  readonly configuration: string;
  /** Without a version: `iphoneos`. */
  readonly sdk: string;
}

/** @returns `null`: it is no name of a setting */
export function settingNameOf(text: string): SettingName | null {
  const [name = '', ...rest] = text.split('[');
  if (!/^\w{1,200}$/.test(name) || rest.some((part) => !part.endsWith(']'))) return null;
  const conditions = rest
    .flatMap((part) => part.slice(0, -1).split(','))
    .map((part) => {
      const [key = '', value = ''] = part.split('=', 2);
      return { key: key.trim(), value: value.trim() };
    });
  return { name, conditions };
}

/** Whether all conditions are met. Apps are built for 64-bit ARM. */
export function isMet({ conditions }: SettingName, { configuration, sdk }: SettingContext): boolean {
  const actual: Readonly<Record<string, string>> = { config: configuration, sdk, arch: 'arm64' };
  return conditions.every(({ key, value }) => Object.hasOwn(actual, key) && fits(value, actual[key] ?? ''));
}

/** Patterns end with a star: `iphoneos*`. */
function fits(pattern: string, value: string): boolean {
  return pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : value === pattern;
}
