import { AccountTurns } from './account-turns.js';

/** Claims all work in turns. @returns the accounts, in the order of the claims */
async function order(length: number, ...waiting: string[]): Promise<string> {
  const turns = new AccountTurns(length);
  const claimExcept = async (except: readonly string[]) => {
    const index = waiting.findIndex((id) => !except.includes(id));
    return index < 0 ? null : { account: waiting.splice(index, 1)[0] ?? '' };
  };
  const claimed: string[] = [];
  for (let work = await turns.claim(claimExcept); work !== null; work = await turns.claim(claimExcept)) {
    claimed.push(work.account);
  }
  return claimed.join('');
}

it('claims all work of the only account', async () => {
  expect(await order(1, ...'aaa')).toBe('aaa');
});

it('claims work of accounts in turns', async () => {
  expect(await order(1, ...'aaaaabbc')).toBe('abcabaaa');
});

it('claims several in one turn', async () => {
  expect(await order(2, ...'aaaaabbbc')).toBe('aabbcaaba');
});

it('begins again after a time without work', async () => {
  const turns = new AccountTurns(1);
  const work = { account: 'a' };
  await turns.claim(async () => work);
  await turns.claim(async () => null);
  expect(await turns.claim(async (except) => (except.length === 0 ? work : null))).toBe(work);
});
