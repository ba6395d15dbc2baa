export { describePackage, type DescribedPackage } from './describe-package.ts';
export { OPENAPI_VERSIONS, type OpenApiVersion } from './openapi-version.ts';
export {
  isOpen,
  listEndpoint,
  type ApplicationEndpoint,
  type EndpointListing,
  type WorkingEndpoint,
} from './application/application-endpoint.ts';
export { checkArguments } from './application/check-arguments.ts';
export { APPLICATION_SCHEMA, type ApplicationContent, type DefinitionProblem } from './application/definition-schema.ts';
export { describeApplications } from './application/describe-applications.ts';
export { compileMatcher, type EndpointMatch, type EndpointMatcher, type MatchedEndpoint } from './application/match-endpoint.ts';
export { DEFINITION_MEDIA_TYPES, parseDefinition } from './application/parse-definition.ts';
export { packagesOf, resolveApplication, type ResolvedApplication } from './application/resolve-application.ts';
export { readFunctions, writeFunctions } from './stored-functions.ts';
