export { createStreamApp, type StreamDependencies } from './app.ts';
