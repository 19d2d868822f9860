import { v7 as uuid } from 'uuid';
import { hashPassword } from '../../src/accounts/passwords/password-hash.js';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import { Browser } from '../support/http/browser.js';
import { type Actor, createActor, type Site } from './identities.js';

export const PASSWORD = 'correct horse battery staple';

/** A user who can sign in with `PASSWORD`. */
export async function createPerson(site: Site = testEnvironment()): Promise<Actor> {
  const actor = await createActor(site);
  await givePassword(actor, site);
  return actor;
}

/** Lets a user sign in with a password, which may be one that the rules refuse. */
export async function givePassword(
  actor: Actor,
  site: Site = testEnvironment(),
  password = PASSWORD,
): Promise<void> {
  await query(site.databaseUrl, 'INSERT INTO passwords (id, user_id, hash) VALUES ($1, $2, $3)', [
    uuid(),
    actor.userId,
    await hashPassword(password),
  ]);
}

/** A browser in which the person has signed in. */
export async function signedInBrowser(person: Actor, browser = new Browser()): Promise<Browser> {
  await browser.open('/login');
  const shown = await browser.submit('/login', { email: person.email, password: PASSWORD });
  if (shown.status !== 200 || !shown.html.includes(person.email)) throw new Error(shown.html);
  return browser;
}
