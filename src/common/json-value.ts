/** A value of the answer of another server, which may be anything. Reading what is not there gives an empty value. */
export class JsonValue {
  constructor(private readonly value: unknown) {}

  /** A field of an object. */
  get(...path: string[]): JsonValue {
    let value = this.value;
    for (const key of path) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined;
    }
    return new JsonValue(value);
  }

  /** The elements of an array. */
  get items(): JsonValue[] {
    return Array.isArray(this.value) ? this.value.map((item) => new JsonValue(item)) : [];
  }

  /** The fields of an object. */
  get entries(): [string, JsonValue][] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value).map(([name, field]) => [name, new JsonValue(field)]);
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  /** Whether `items` has everything that is here. */
  get isListOrAbsent(): boolean {
    return this.value === undefined || Array.isArray(this.value);
  }

  /** A text or a number as one line that can be stored and shown; `null`: it is neither, or empty. */
  get text(): string | null {
    const text =
      this.rawText
        ?.replace(/\p{Cc}+/gu, ' ')
        .slice(0, 1000)
        .trim() ?? '';
    return text === '' ? null : text.toWellFormed();
  }

  /**
   * A text or a number to compare, with the blanks at its ends. Control characters, which cannot be stored, become U+FFFD, so
   * that the text equals no other one; `null`: it is neither, or empty.
   */
  get exactText(): string | null {
    const text = this.rawText?.replace(/\p{Cc}/gu, '\uFFFD').slice(0, 1000) ?? '';
    return text === '' ? null : text.toWellFormed();
  }

  /** As `text`, with its lines. */
  get longText(): string | null {
    const text =
      this.rawText
        ?.replace(/(?![\t\n])\p{Cc}/gu, '')
        .slice(0, 10_000)
        .trim() ?? '';
    return text === '' ? null : text.toWellFormed();
  }

  /** An address for browsers; `null`: none, or one that is no http or https address. */
  get url(): string | null {
    const { text } = this;
    return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
  }

  /** The string itself; `null`: the value is not a string. */
  get string(): string | null {
    return typeof this.value === 'string' ? this.value : null;
  }

  /** Whether it has fields. */
  get isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  get isNull(): boolean {
    return this.value === null;
  }

  get isTrue(): boolean {
    return this.value === true;
  }

  get isFalse(): boolean {
    return this.value === false;
  }

  private get rawText(): string | undefined {
    if (typeof this.value === 'number') return String(this.value);
    return typeof this.value === 'string' ? this.value : undefined;
  }
}
