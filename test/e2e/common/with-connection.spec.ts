import { withConnection } from '../../../src/database/connections/with-connection.js';
import { testEnvironment } from '../../setup/test-environment.js';

it('does not end the process when the connection is lost between two statements', async () => {
  const rows = await withConnection(testEnvironment().databaseUrl, async (client) => {
    // As pg does then. Without a listener, it throws.
    client.emit('error', new Error('Connection terminated unexpectedly'));
    return (await client.query('SELECT 1 AS one')).rows;
  });
  expect(rows).toEqual([{ one: 1 }]);
});
