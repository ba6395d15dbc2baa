export { answerError, answerProblem, isUnexpected, type ErrorAnswer } from './error-answer.ts';
export { ERROR_CATALOG, type ErrorCode, type ErrorSpec } from './error-catalog.ts';
export {
  failedQuery,
  invalidQuery,
  isQueryFailure,
  QueryFailure,
  type Position,
  type PositionRange,
  type QueryError,
  type QueryFailureBody,
} from './query-failure.ts';
export { isServiceError, ServiceError, serviceUnavailable, type ServiceErrorOptions } from './service-error.ts';
