export { describePackage, type DescribedPackage } from './describe-package.ts';
export { OPENAPI_VERSIONS, type OpenApiVersion } from './openapi-version.ts';
