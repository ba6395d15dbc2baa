export { createGatewayApp, type GatewayDependencies } from './app.ts';
