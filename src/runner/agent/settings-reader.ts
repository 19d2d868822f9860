import { resolve } from 'node:path';

/** A setting that is missing or wrong. Its message is one sentence. */
export class SettingsError extends Error {}

/** Reads values of environment variables; empty ones count as absent. */
export class SettingsReader {
  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** @param longest in characters */
  text(name: string, fallback: string, longest: number): string {
    const text = (this.env[name] ?? '').trim() || fallback;
    if (text.length > longest || /\p{C}/u.test(text)) {
      throw new SettingsError(
        `${name} must be at most ${longest} characters long, without control characters.`,
      );
    }
    return text;
  }

  /** @returns an absolute path; `null`: none is set */
  folder(name: string): string | null {
    const text = this.text(name, '', 4096);
    return text === '' ? null : resolve(text);
  }

  /** A whole number. */
  number(name: string, fallback: number, least: number, most: number): number {
    const text = (this.env[name] ?? '').trim();
    if (text === '') return fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most)) {
      throw new SettingsError(
        `${name} must be a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
      );
    }
    return value;
  }

  /** Texts that are separated by commas, each once. @param meaning what each must be */
  list(name: string, fallback: readonly string[], most: number, pattern: RegExp, meaning: string): string[] {
    const words = (this.env[name] ?? '').split(',').map((word) => word.trim());
    const values = [...new Set(words.filter((word) => word !== ''))];
    if (!values.every((value) => pattern.test(value))) throw new SettingsError(`${name} must be ${meaning}.`);
    if (values.length > most) throw new SettingsError(`${name} must hold at most ${most} values.`);
    return values.length === 0 ? [...fallback] : values;
  }

  flag(name: string): boolean {
    return this.optionalFlag(name) ?? false;
  }

  /** @returns `null`: it is not set */
  optionalFlag(name: string): boolean | null {
    const text = (this.env[name] ?? '').trim().toLowerCase();
    if (!['', 'true', 'false'].includes(text)) throw new SettingsError(`${name} must be true or false.`);
    return text === '' ? null : text === 'true';
  }
}
