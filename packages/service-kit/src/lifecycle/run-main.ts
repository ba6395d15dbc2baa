import { createLogger, type Logger } from '../logging/logger.ts';
import type { commonSettings } from '../settings/common-settings.ts';
import { readEnv, type Environment, type SettingValues } from '../settings/read-env.ts';
import type { Setting } from '../settings/setting.ts';
import { traceIfWanted } from './trace-if-wanted.ts';
import { runService, type HostProcess as Signalled } from './run-service.ts';
import { startService, type ServiceOptions } from './start-service.ts';

/** The parts of Node's `process` that a service needs. */
export type HostProcess = Signalled & { readonly env: Environment };

/** The parts of a service that it opens itself. */
export type OpenedService = Pick<ServiceOptions, 'listener' | 'registry' | 'checks' | 'resources'> &
  Pick<ServiceOptions, 'idHeaders' | 'details'>;

/** A service, for its `main.ts`. */
export interface ServiceMain<Shape> {
  /** Shown in log lines and messages: `executor`. */
  readonly name: string;
  readonly settings: Shape;
  /** Opens the resources of the service. An exception keeps the process from starting. */
  readonly open: (settings: SettingValues<Shape>, logger: Logger) => Promise<OpenedService>;
  /** Called just before a forced exit, to interrupt work that would keep the process alive. Must not wait. */
  readonly beforeForcedExit?: () => void;
}

/** Enough for the next request on each connection in constant use. */
const UNREADY_MS = 500;

type CommonShape = ReturnType<typeof commonSettings>;

/** Runs a service's process: reads its settings, opens it, listens, and stops in phases; see runService. */
export async function runMain<const Shape extends CommonShape & Readonly<Record<string, Setting<unknown>>>>(
  host: HostProcess,
  { name, settings: shape, open, ...options }: ServiceMain<Shape>,
): Promise<void> {
  const start = async () => {
    const { settings, warnings } = readEnv(host.env, shape);
    // The shape contains the common settings; TypeScript cannot infer that through a generic mapped type.
    const common = settings as unknown as SettingValues<CommonShape>;
    const logger = createLogger({ service: name, level: common.logLevel });
    for (const warning of warnings) logger.warn(warning);
    const tracing = await traceIfWanted(name, host.env);
    const opened = await open(settings, logger);
    const { host: address, port, adminPort, minBytesPerSecond, graceMillis } = common;
    const resources = [...opened.resources, ...tracing];
    const listening = { host: address, port, adminPort, minBytesPerSecond, graceMillis, unreadyMs: UNREADY_MS };
    return startService({ name, ...listening, logger, ...opened, resources });
  };
  await runService(host, start, options);
}
