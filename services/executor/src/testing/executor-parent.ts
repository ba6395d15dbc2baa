import { startExecutorProcess } from './executor-process.ts';

/** The parent of an executor, to be killed: started with the executor's settings, it says the executor's number and waits. */
const { pid, end } = await startExecutorProcess(
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('SVC_'))) as Readonly<Record<string, string>>,
);
process.once('SIGTERM', () => void end());
process.stdout.write(`${pid}\n`);
