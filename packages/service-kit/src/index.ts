export type { NotedResponse } from './http/response-notes.ts';
export { createHttpApp, type HttpAppOptions } from './http/create-http-app.ts';
export { checkBodyType, decodeText, readBody } from './http/request-body.ts';
export { checkPercentEncoding } from './http/request-path.ts';
export { requestIdOf } from './logging/request-log.ts';
export { type ReadinessCheck } from './http/admin-server.ts';
export { catchListeners } from './lifecycle/catch-listeners.ts';
export { listenHttp, type HttpListener, type HttpListenerOptions } from './lifecycle/http-listener.ts';
export { runMain, type HostProcess, type OpenedService, type ServiceMain } from './lifecycle/run-main.ts';
export { StartError } from './lifecycle/start-error.ts';
export { startService, type Resource, type RunningService, type ServiceOptions } from './lifecycle/start-service.ts';
export { createLogger, LOG_LEVELS, type Logger, type LoggerOptions, type LogLevel } from './logging/logger.ts';
export { addGauge, createHttpMetrics, type HttpMetrics } from './metrics/http-metrics.ts';
export { describeService, type ServiceDescription } from './routes/describe-service.ts';
export {
  routeDefiner,
  type JsonBody,
  type JsonSchema,
  type Method,
  type ParameterSchemas,
  type Reply,
  type RequestStream,
  type ResponseSpec,
  type Route,
  type RouteDefinition,
  type RouteInput,
  type StreamBody,
  type TextBody,
  type TypeOfSchema,
} from './routes/route.ts';
export { commonSettings } from './settings/common-settings.ts';
export { readEnv, type Environment, type ReadEnvironment, type SettingValues } from './settings/read-env.ts';
export { PRODUCT_SETTING_NAMES } from './settings/setting-names.ts';
export {
  choiceSetting,
  folderSetting,
  foldersSetting,
  integerSetting,
  listSetting,
  optional,
  orElse,
  portSetting,
  refineSetting,
  secret,
  textSetting,
  urlSetting,
  urlTextSetting,
  Unusable,
  withDefault,
  type Setting,
} from './settings/setting.ts';
export { SettingsError } from './settings/settings-error.ts';
