export { createExecutorApp, type ExecutorDependencies } from './app.ts';
