import { createActor } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

describe('the table of tokens', () => {
  it.each([
    [`permissions = '"some"'`, 'tokens_permissions_check'],
    [`permissions = '[]'`, 'tokens_permissions_check'],
    [`permissions = '{}'`, 'tokens_permissions_check'],
    [`organization_ids = '{}'`, 'tokens_organization_ids_check'],
    [`app_ids = '{}'`, 'tokens_app_ids_check'],
    [`previous_hash = 'a'`, 'tokens_previous_hash_check'],
    ['previous_expires_at = now()', 'tokens_previous_hash_check'],
    [`last_four = 'abc'`, 'tokens_last_four_check'],
    [`last_used_client = repeat('x', 256)`, 'tokens_last_used_client_check'],
  ])('refuses %s', async (assignment, constraint) => {
    const { id } = await createToken((await createActor()).api);
    const update = query(testEnvironment().databaseUrl, `UPDATE tokens SET ${assignment} WHERE id = $1`, [
      id,
    ]);
    await expect(update).rejects.toMatchObject({ constraint });
  });
});
