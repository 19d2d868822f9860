import { testCallers } from '../../support/access/caller-tests.js';
import { testHostileInput } from '../../support/access/hostile-input-tests.js';
import { testIdSwaps } from '../../support/access/id-swap-tests.js';
import { testLostSegments } from '../../support/access/lost-segment-tests.js';
import { testSuspension } from '../../support/access/suspension-tests.js';
import { chosenRoutesOf } from '../../support/access/routes.js';

const routes = chosenRoutesOf('organizations');

testCallers(routes);
testIdSwaps(routes);
testHostileInput(routes);
testLostSegments(routes);
testSuspension(routes);
