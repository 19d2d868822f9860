import { NotFoundError } from '../../common/errors/app-error.js';
import { openKey, openRemaining } from './open-keys.js';

const keys = new Map([
  ['begun', 'one'],
  ['present', 'two'],
]);

function open(name: string): Promise<string> {
  const key = keys.get(name);
  if (name === 'broken') return Promise.reject(new Error('The key cannot be opened.'));
  return key === undefined ? Promise.reject(new NotFoundError('Store key')) : Promise.resolve(key);
}

it('opens each key that still exists once', async () => {
  await expect(openRemaining(['begun', 'present'], open)).resolves.toEqual(['one', 'two']);
  await expect(openRemaining(['begun', 'begun', null], open)).resolves.toEqual(['one']);
  await expect(openRemaining(['deleted', 'present'], open)).resolves.toEqual(['two']);
  await expect(openRemaining(['broken', 'present'], open)).rejects.toThrow('cannot be opened');
});

it('says in the words of the caller that a key was deleted', async () => {
  const gone = (): Error => new Error('Upload one.');
  await expect(openKey(open('begun'), gone)).resolves.toBe('one');
  await expect(openKey(open('deleted'), gone)).rejects.toThrow('Upload one.');
  await expect(openKey(open('broken'), gone)).rejects.toThrow('cannot be opened');
});
