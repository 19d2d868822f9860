import 'reflect-metadata';

const variables = new WeakMap<object, Map<string, EnvVariable>>();

/** What a configuration property is read from. */
export interface EnvVariable {
  /** Name of the environment variable. */
  readonly name: string;
  /** How its text becomes a value. */
  readonly type: 'string' | 'number' | 'boolean';
}

/**
 * Reads a configuration property from an environment variable. The property's declared type (`string`,
 * `number` or `boolean`) decides how the text is converted; its initializer is the default.
 */
export function Env(name: string): PropertyDecorator {
  return (prototype, property) => {
    const type = Reflect.getMetadata('design:type', prototype, property) as unknown;
    const ofClass = variables.get(prototype) ?? new Map<string, EnvVariable>();
    ofClass.set(String(property), {
      name,
      type: type === Number ? 'number' : type === Boolean ? 'boolean' : 'string',
    });
    variables.set(prototype, ofClass);
  };
}

/** The variables that a configuration class reads, by property. */
export function envVariablesOf(section: object): ReadonlyMap<string, EnvVariable> {
  return variables.get(Object.getPrototypeOf(section) as object) ?? new Map<string, EnvVariable>();
}
