import { startExecutorProcess } from './executor-process.ts';

/** Parent process of an executor, to be killed: starts the executor with its own settings, prints its process id and waits. */
const { pid, end } = await startExecutorProcess(
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('SVC_'))) as Readonly<Record<string, string>>,
);
process.once('SIGTERM', () => void end());
process.stdout.write(`${pid}\n`);
