import 'reflect-metadata';

const variables = new WeakMap<object, Map<string, EnvVariable>>();

/** How a text becomes a value of a declared type, unless it is one already. */
const types = new Map<unknown, EnvVariable['type']>([
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Array, 'json'],
]);

/** What a configuration property is read from. */
export interface EnvVariable {
  /** Name of the environment variable. */
  readonly name: string;
  /** How its text becomes a value. */
  readonly type: 'string' | 'number' | 'boolean' | 'json';
  /** Whether the value is a credential, which belongs into the Secret of Kubernetes. */
  readonly isSecret: boolean;
}

/**
 * Reads a configuration property from an environment variable. The property's declared type (`string`, `number`,
 * `boolean`, or an array, which is written as JSON) decides how the text is converted; its initializer is the default.
 *
 * @param options `secret`: the value is a credential
 */
export function Env(name: string, { secret = false } = {}): PropertyDecorator {
  return (prototype, property) => {
    const type = Reflect.getMetadata('design:type', prototype, property) as unknown;
    const ofClass = variables.get(prototype) ?? new Map<string, EnvVariable>();
    ofClass.set(String(property), {
      name,
      type: types.get(type) ?? 'string',
      isSecret: secret,
    });
    variables.set(prototype, ofClass);
  };
}

/** The variables that a configuration class reads, by property. */
export function envVariablesOf(section: object): ReadonlyMap<string, EnvVariable> {
  return variables.get(Object.getPrototypeOf(section) as object) ?? new Map<string, EnvVariable>();
}
