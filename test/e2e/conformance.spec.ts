import { readOpenApiPaths } from '../support/http/openapi-document.js';
import { describeResource } from '../support/resources/describe-resource.js';
import { chosenResources } from '../support/resources/resources.js';

const paths = readOpenApiPaths();

describe.each(chosenResources.map((resource) => [resource.name, resource] as const))(
  '%s',
  (_name, resource) => {
    describeResource(resource, paths);
  },
);
